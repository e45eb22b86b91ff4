import { describe, expect, test } from "vitest";

import { alarmsIn, alarmsOf } from "./tamper-change.ts";

const PATH = "tests/test_cart.py";

const ADDS = "def test_adds():\n    assert add(1, 2) == 3\n    assert add(0, 0) == 0\n";
const ROUNDS = "def test_rounds():\n    assert round_up(1.5) == 2\n";
const CASE =
  "class TestCart(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n        self.assertEqual(add(0, 0), 0)\n";

describe("marks in Python", () => {
  alarmsIn(PATH, [
    ["skip", ADDS, `@pytest.mark.skip\n${ADDS}`, "test-skipped:1"],
    [
      "skip with a reason over several lines",
      ADDS,
      `@pytest.mark.skip(\n    reason="flaky",\n)\n${ADDS}`,
      "test-skipped:1",
    ],
    [
      "skipif on a test that was there",
      ADDS,
      `@pytest.mark.skipif(True, reason="x")\n${ADDS}`,
      "test-skipped:1",
    ],
    ["skipif on a new test", ADDS, `${ADDS}\n\n@pytest.mark.skipif(WIN, reason="x")\n${ROUNDS}`],
    ["xfail", ADDS, `@pytest.mark.xfail\n${ADDS}`, "test-skipped:1"],
    ["xfail on a new test", ADDS, `${ADDS}\n\n@pytest.mark.xfail\n${ROUNDS}`, "test-skipped:6"],
    [
      "unittest.skip",
      CASE,
      CASE.replace("    def test", '    @unittest.skip("later")\n    def test'),
      "test-skipped:2",
    ],
    [
      "expectedFailure",
      CASE,
      CASE.replace("    def test", "    @unittest.expectedFailure\n    def test"),
      "test-skipped:2",
    ],
    ["a class skipped", CASE, `@pytest.mark.skip\n${CASE}`, "test-skipped:1"],
    [
      "pytest.skip inside",
      ADDS,
      ADDS.replace("    assert", '    pytest.skip("no")\n    assert'),
      "test-skipped:2",
    ],
    [
      "self.skipTest inside",
      CASE,
      CASE.replace("        self", '        self.skipTest("no")\n        self'),
      "test-skipped:3",
    ],
    ["the whole module", ADDS, `pytestmark = pytest.mark.skip\n${ADDS}`, "test-skipped:1"],
    [
      "__test__ = False",
      CASE,
      CASE.replace("    def test", "    __test__ = False\n\n    def test"),
      "test-skipped:2",
    ],
    ["another mark", ADDS, `@pytest.mark.slow\n${ADDS}`],
    ["usefixtures for the module", ADDS, `pytestmark = pytest.mark.usefixtures("db")\n${ADDS}`],
    [
      "the word in a docstring",
      ADDS,
      ADDS.replace(
        "    assert",
        '    """Was @pytest.mark.skip and pytest.skip("x")."""\n    assert',
      ),
    ],
    ["the word in a comment", ADDS, `# @pytest.mark.skip\n${ADDS}`],
  ]);
});

describe("tests removed, emptied and weakened in Python", () => {
  alarmsIn(PATH, [
    ["one of two is gone", `${ADDS}\n${ROUNDS}`, ADDS, "test-removal"],
    [
      "one is commented out",
      `${ADDS}\n${ROUNDS}`,
      `${ADDS}\n${ROUNDS.replace(/^/gm, "# ")}`,
      "test-removal",
    ],
    [
      "renamed so that it is not collected",
      ROUNDS,
      ROUNDS.replace("def test", "def _test"),
      "test-removal",
    ],
    [
      "renamed",
      `${ADDS}\n${ROUNDS}`,
      `${ADDS.replace("test_adds", "test_adds_two_numbers")}\n${ROUNDS}`,
    ],
    [
      "moved into a class",
      ROUNDS,
      "class TestRound:\n    def test_rounds(self):\n        assert round_up(1.5) == 2\n",
    ],
    ["pass is all that is left", ADDS, "def test_adds():\n    pass\n", "test-emptied:1"],
    [
      "a docstring is all that is left",
      ADDS,
      'def test_adds():\n    """Adds."""\n    ...\n',
      "test-emptied:1",
    ],
    [
      "a return comes first",
      ADDS,
      ADDS.replace("    assert", "    return\n    assert"),
      "test-emptied:1",
    ],
    [
      "assert True",
      ROUNDS,
      "def test_rounds():\n    round_up(1.5)\n    assert True\n",
      "test-emptied:3",
    ],
    [
      "an assertion that is always true",
      ROUNDS,
      "def test_rounds():\n    assert round_up(1.5) == 2 or True\n",
      "test-emptied:2",
    ],
    [
      "an assertion fewer",
      ADDS,
      ADDS.replace("    assert add(0, 0) == 0\n", ""),
      "test-weakened:1",
    ],
    [
      "equality became presence",
      ROUNDS,
      "def test_rounds():\n    assert round_up(1.5) is not None\n",
      "test-weakened:2",
    ],
    [
      "equality became a type",
      ROUNDS,
      "def test_rounds():\n    assert isinstance(round_up(1.5), int)\n",
      "test-weakened:2",
    ],
    [
      "assertEqual became assertTrue",
      CASE,
      CASE.replace("assertEqual(add(1, 2), 3)", "assertTrue(add(1, 2))"),
      "test-weakened:3",
    ],
    [
      "assertEqual became assert",
      CASE,
      CASE.replaceAll(/self\.assertEqual\((.*), (\d)\)/g, "assert $1 == $2"),
    ],
    [
      "parametrized",
      "def test_one():\n    assert f(1) == 10\n\ndef test_two():\n    assert f(2) == 20\n",
      '@pytest.mark.parametrize("a,b", [(1, 10), (2, 20)])\ndef test_f(a, b):\n    assert f(a) == b\n',
    ],
    [
      "one test takes rows now",
      ADDS,
      '@pytest.mark.parametrize("a,b,c", [(1, 2, 3), (0, 0, 0)])\ndef test_adds(a, b, c):\n    assert add(a, b) == c\n',
    ],
    [
      "an expected error instead of a message",
      "def test_fails():\n    assert call() == 'error'\n",
      "def test_fails():\n    with pytest.raises(ValueError):\n        call()\n",
    ],
    ["another expected value", ADDS, ADDS.replace("== 3", "== 4")],
    [
      "formatted over several lines",
      ADDS,
      ADDS.replace("add(1, 2) == 3", "(\n        add(1, 2)\n        == 3\n    )"),
    ],
  ]);

  test("conftest that leaves out files", () => {
    const after = 'import pytest\n\ncollect_ignore = ["test_cart.py"]\n';
    expect(alarmsOf({ "tests/conftest.py": ["import pytest\n", after] })).toEqual([
      "test-excluded:3",
    ]);
    expect(alarmsOf({ "tests/conftest.py": [after, after.replace("pytest", "os")] })).toEqual([]);
  });
});
