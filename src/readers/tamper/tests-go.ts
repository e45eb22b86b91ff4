// Which tests, marks and assertions are in Go?

import { callAssertions } from "./assertion-calls.ts";
import { endOfBody } from "./test-shapes.ts";
import type { Block, Found, Mark, Reading } from "./test-shapes.ts";

/** The testing package, testify, gocheck and is/qt. */
export function readGo(reading: Reading): Found {
  const { code } = reading;
  return {
    blocks: [...functionsOf(reading), ...subtestsOf(reading)],
    marks: [...Array.from(code.matchAll(SKIP), markOf), ...buildMarks(reading)],
    assertions: callAssertions(reading, ASSERTION, { trivial: TRIVIAL, vague: VAGUE }),
  };
}

const FUNCTION =
  /^func\s+(?:\([^()\n]{1,120}\)\s*)?((?:Test|Fuzz|Example|Benchmark)\w{0,200})\s*(?=\()/gm;
const SUBTEST = /\b\w{1,30}\.Run\s?\(\s{0,200}(?=["`])/g;
const SKIP = /\b(?:\w{1,30}\.)?(?:T\(\)|t|b|f|tb|c|ctx)\.(?:Skip|Skipf|SkipNow)\s?\(/g;
const ASSERTION =
  /\b(?:\w{1,30}\.)?(?:T\(\)|t|b|f|tb)\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\s?(?=\()|\b(?:assert|require|qt|be)\.[A-Z]\w{1,60}\s?(?=\()|\b(?:s|suite|is|c|g|must)\.(?:Require\(\)\.|Assert\(\)\.)?(?:Equal|EqualValues|EqualError|NotEqual|True|False|Nil|NotNil|NoError|NoErr|Error|ErrorIs|ErrorAs|ErrorContains|Contains|NotContains|Len|Empty|NotEmpty|ElementsMatch|Greater|GreaterOrEqual|Less|LessOrEqual|Zero|NotZero|Regexp|Panics|Same|JSONEq|Eventually|InDelta|Subset|IsType|Assert|Check|Expect)f?\s?(?=\()|(?<!func |\) )\b(?:assert|check|verify|expect|require)[A-Z]\w{0,60}\s?(?=\()/g;

function functionsOf(reading: Reading): readonly Block[] {
  const { code, closings } = reading;
  return Array.from(code.matchAll(FUNCTION), ({ 0: whole, 1: name = "", index }) => {
    const parameters = closings.get(index + whole.length) ?? code.length;
    const end = endOfBody(reading, parameters);
    const isTable = /\bfor\b[^{\n]{0,200}\brange\b/.test(code.slice(parameters, end));
    return { kind: "test" as const, name, start: index, end, marks: [], isTable };
  });
}

function subtestsOf({ code, text, closings }: Reading): readonly Block[] {
  return Array.from(code.matchAll(SUBTEST), ({ 0: whole, index }) => {
    const from = index + whole.length;
    const quote = code[from] ?? '"';
    const close = code.indexOf(quote, from + 1);
    const name = text.slice(from + 1, close < 0 ? from + 1 : Math.min(close, from + 200));
    const end = closings.get(index + whole.indexOf("(")) ?? code.length;
    return { kind: "test" as const, name, start: index, end, marks: [], isTable: false };
  });
}

/** Whether a skip stands under a condition is not looked at: in Go most of them do. */
function markOf({ index }: RegExpExecArray): Mark {
  return { kind: "skip", start: index, fineWhenNew: true };
}

/** A file that no build contains. */
function buildMarks({ text }: Reading): readonly Mark[] {
  const head = text.slice(0, 4_000);
  const at = head.search(/^\/\/go:build (?:ignore|never|disabled|skip\w{0,20}|false)\b/m);
  return at < 0 ? [] : [{ kind: "skip", start: at, fineWhenNew: false }];
}

const TRIVIAL =
  /\.True\w?\s?\((?:\s?t,)?\s?true\b|\.False\w?\s?\((?:\s?t,)?\s?false\b|\.Equal\w?\s?\((?:\s?t,)?\s?(\d{1,9}|true|false|"[^"]{0,80}"),\s?\1\s?[,)]/;
const VAGUE =
  /\.(?:NotNil|NotEmpty|NotPanics|NotEqual|NoError|IsType|NotZero)\w?\s?\(|^\w{0,40}NoErr\w{0,20}\s?\(|\.Fatalf?\s?\([^()]{0,200}\berr\s?\)$|\.Error\s?\(\s?err\s?\)$/;
