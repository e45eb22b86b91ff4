import { describe, expect, test } from "vitest";

import { alarmsIn, alarmsOf } from "./tamper-change.ts";

const PATH = "tests/test_cart.py";

const ADDS = "def test_adds():\n    assert add(1, 2) == 3\n    assert add(0, 0) == 0\n";
const ROUNDS = "def test_rounds():\n    assert round_up(1.5) == 2\n";
const CASE =
  "class TestCart(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n        self.assertEqual(add(0, 0), 0)\n";

describe("marks in Python", () => {
  alarmsIn(PATH, {
    "skip → test-skipped:1": `«→@pytest.mark.skip\n»${ADDS}`,
    "skip with a reason over several lines → test-skipped:1": `«→@pytest.mark.skip(\n    reason="flaky",\n)\n»${ADDS}`,
    "skipif on a test that was there → test-skipped:1": `«→@pytest.mark.skipif(True, reason="x")\n»${ADDS}`,
    "skipif on a new test": `${ADDS}«→\n\n@pytest.mark.skipif(WIN, reason="x")\n${ROUNDS}»`,
    "xfail → test-skipped:1": `«→@pytest.mark.xfail\n»${ADDS}`,
    "xfail on a new test → test-skipped:6": `${ADDS}«→\n\n@pytest.mark.xfail\n${ROUNDS}»`,
    "unittest.skip → test-skipped:2": CASE.replace(
      "    def test",
      '    «→@unittest.skip("later")\n    »def test',
    ),
    "expectedFailure → test-skipped:2": CASE.replace(
      "    def test",
      "    «→@unittest.expectedFailure\n    »def test",
    ),
    "a class skipped → test-skipped:1": `«→@pytest.mark.skip\n»${CASE}`,
    "pytest.skip inside → test-skipped:2": ADDS.replace(
      "    assert",
      '    «→pytest.skip("no")\n    »assert',
    ),
    "self.skipTest inside → test-skipped:3": CASE.replace(
      "        self",
      '        self«→.skipTest("no")\n        self»',
    ),
    "the whole module → test-skipped:1": `«→pytestmark = pytest.mark.skip\n»${ADDS}`,
    "__test__ = False → test-skipped:2": CASE.replace(
      "    def test",
      "    «→__test__ = False\n\n    »def test",
    ),
    "another mark": `«→@pytest.mark.slow\n»${ADDS}`,
    "usefixtures for the module": `«→pytestmark = pytest.mark.usefixtures("db")\n»${ADDS}`,
    "the word in a docstring": ADDS.replace(
      "    assert",
      '    «→"""Was @pytest.mark.skip and pytest.skip("x")."""\n    »assert',
    ),
    "the word in a comment": `«→# @pytest.mark.skip\n»${ADDS}`,
  });
});

describe("tests removed, emptied and weakened in Python", () => {
  alarmsIn(PATH, {
    "one of two is gone → test-removal": `${ADDS}«\n${ROUNDS}→»`,
    "one is commented out → test-removal": `${ADDS}\n«${ROUNDS}→${ROUNDS.replace(/^/gm, "# ")}»`,
    "renamed so that it is not collected → test-removal": ROUNDS.replace(
      "def test",
      "def «→_»test",
    ),
    renamed: `«${ADDS}→${ADDS.replace("test_adds", "test_adds_two_numbers")}»\n${ROUNDS}`,
    "moved into a class": [
      ROUNDS,
      "class TestRound:\n    def test_rounds(self):\n        assert round_up(1.5) == 2\n",
    ],
    "pass is all that is left → test-emptied:1": [ADDS, "def test_adds():\n    pass\n"],
    "a docstring is all that is left → test-emptied:1": [
      ADDS,
      'def test_adds():\n    """Adds."""\n    ...\n',
    ],
    "a return comes first → test-emptied:1": ADDS.replace(
      "    assert",
      "    «→return\n    »assert",
    ),
    "assert True → test-emptied:3": [
      ROUNDS,
      "def test_rounds():\n    round_up(1.5)\n    assert True\n",
    ],
    "an assertion that is always true → test-emptied:2": [
      ROUNDS,
      "def test_rounds():\n    assert round_up(1.5) == 2 or True\n",
    ],
    "an assertion fewer → test-weakened:1": ADDS.replace(
      "    assert add(0, 0) == 0\n",
      "«    assert add(0, 0) == 0\n→»",
    ),
    "equality became presence → test-weakened:2": [
      ROUNDS,
      "def test_rounds():\n    assert round_up(1.5) is not None\n",
    ],
    "equality became a type → test-weakened:2": [
      ROUNDS,
      "def test_rounds():\n    assert isinstance(round_up(1.5), int)\n",
    ],
    "assertEqual became assertTrue → test-weakened:3": CASE.replace(
      "assertEqual(add(1, 2), 3)",
      "«assertEqual(add(1, 2), 3→assertTrue(add(1, 2)»)",
    ),
    "assertEqual became assert": [
      CASE,
      CASE.replaceAll(/self\.assertEqual\((.*), (\d)\)/g, "assert $1 == $2"),
    ],
    parametrized: [
      "def test_one():\n    assert f(1) == 10\n\ndef test_two():\n    assert f(2) == 20\n",
      '@pytest.mark.parametrize("a,b", [(1, 10), (2, 20)])\ndef test_f(a, b):\n    assert f(a) == b\n',
    ],
    "one test takes rows now": [
      ADDS,
      '@pytest.mark.parametrize("a,b,c", [(1, 2, 3), (0, 0, 0)])\ndef test_adds(a, b, c):\n    assert add(a, b) == c\n',
    ],
    "an expected error instead of a message":
      "def test_fails():\n    «assert call() == 'error'→with pytest.raises(ValueError):\n        call()»\n",
    "another expected value": ADDS.replace("== 3", "== «3→4»"),
    "formatted over several lines": ADDS.replace(
      "add(1, 2) == 3",
      "«add(1, 2) == 3→(\n        add(1, 2)\n        == 3\n    )»",
    ),
  });

  test("conftest that leaves out files", () => {
    const after = 'import pytest\n\ncollect_ignore = ["test_cart.py"]\n';
    expect(alarmsOf({ "tests/conftest.py": ["import pytest\n", after] })).toEqual([
      "test-excluded:3",
    ]);
    expect(alarmsOf({ "tests/conftest.py": [after, after.replace("pytest", "os")] })).toEqual([]);
    const longer = after.replace('"test_cart.py"', '"test_cart.py", "test_tax.py"');
    expect(alarmsOf({ "tests/conftest.py": [after, longer] })).toHaveLength(1);
  });
});
