// What stands in an XML file?

export interface XmlEvents {
  /** Its attributes are read when they are asked for. */
  readonly open: (name: string, attribute: (key: string) => string) => void;
  readonly close: (name: string) => void;
  readonly text: (text: string) => void;
}

/** What is no element: an entity that a file declares is not known, and so stays as it is. */
const ASIDE = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<![CDATA[", "]]>"],
] as const;
const TAG = /<(\/?)([^\s/>"'=<]+)([^"'<>]*(?:(?:"[^"]*"|'[^']*')[^"'<>]*){0,999})>/y;

/** Linear. false: it is no XML, or not all of it. */
export function readXml(xml: string, on: XmlEvents): boolean {
  const open: string[] = [];
  let at = xml.indexOf("<");
  while (at !== -1) {
    const [start = "", end = ">"] = ASIDE.find(([mark]) => xml.startsWith(mark, at)) ?? [];
    let to: number;
    if (start !== "" || xml.startsWith("<!", at)) {
      to = endOf(xml, at, start === "" ? declarationEnd(xml, at) : end);
      if (to === -1) return false;
      if (start === "<![CDATA[") on.text(xml.slice(at + start.length, to - end.length));
    } else {
      TAG.lastIndex = at;
      const [whole = "", closes, name = "", rest = ""] = TAG.exec(xml) ?? [];
      if (whole === "") return false;
      if (closes === "") {
        on.open(name, (key) => attributeIn(rest, key));
        open.push(name);
      }
      if (closes !== "" || rest.endsWith("/")) {
        if (open.pop() !== name) return false;
        on.close(name);
        if (open.length === 0) return true;
      }
      to = at + whole.length;
    }
    const next = xml.indexOf("<", to);
    if (next > to) on.text(unescaped(xml.slice(to, next)));
    at = next;
  }
  return false;
}

function endOf(xml: string, from: number, end: string): number {
  const at = xml.indexOf(end, from);
  return at === -1 ? -1 : at + end.length;
}

/** Declarations of its own stand between brackets. */
function declarationEnd(xml: string, from: number): string {
  const head = xml.slice(from, from + 1_000);
  const [bracket, end] = [head.indexOf("["), head.indexOf(">")];
  return bracket !== -1 && bracket < end ? "]>" : ">";
}

function attributeIn(rest: string, key: string): string {
  ATTRIBUTE.lastIndex = 0;
  for (let said = ATTRIBUTE.exec(rest); said !== null; said = ATTRIBUTE.exec(rest)) {
    const [, name, double, single] = said;
    if (name !== key) continue;
    return unescaped(double ?? single ?? "");
  }
  return "";
}

/** Where it does not match, no search goes on. */
const ATTRIBUTE = /\s*([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;

const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
};

function unescaped(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g,
    (whole, ...said) => {
      const [name, decimal, hex]: readonly unknown[] = said;
      if (typeof name === "string") return ENTITIES[name] ?? whole;
      const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );
}
