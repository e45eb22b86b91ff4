// Which TypeScript types does a JSON Schema stand for?

/** What is read of a JSON Schema; zod writes nothing else for a config. */
export interface Node {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Node>>;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly propertyNames?: Node;
  readonly additionalProperties?: Node | boolean;
}

/** The types of a config, for its authors: they need no schema library. */
export function declarations(schema: Node): string {
  const named = [...Object.entries(schema.$defs ?? {}), ["OrchConfig", schema] as const];
  const types = named
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, node]) => `export type ${name} = ${typeOf(node)};\n`);
  return `// Made by \`npm run build\` of src/schema: what can a config file say?\n\n${types.join("\n")}
/** Gives the config its type: \`export default defineConfig({ … })\`. Returns it unchanged. */
export declare function defineConfig(config: OrchConfig): OrchConfig;
`;
}

function typeOf(node: Node): string {
  if (node.$ref !== undefined) return node.$ref.replace("#/$defs/", "");
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) return node.enum.map((one) => JSON.stringify(one)).join(" | ");
  const variants = node.anyOf ?? node.oneOf;
  if (variants !== undefined) return variants.map(typeOf).join(" | ");
  switch (node.type ?? "unknown") {
    case "integer":
      return "number";
    case "array":
      return listOf(typeOf(node.items ?? {}));
    case "object":
      return node.properties === undefined ? recordOf(node) : objectOf(node);
    default:
      return node.type ?? "unknown";
  }
}

function listOf(item: string): string {
  return /[|{ ]/.test(item) ? `(${item})[]` : `${item}[]`;
}

function recordOf({ propertyNames, additionalProperties: values }: Node): string {
  const value = typeof values === "object" ? typeOf(values) : "unknown";
  if (propertyNames?.enum === undefined) return `Record<string, ${value}>`;
  return `Partial<Record<${typeOf(propertyNames)}, ${value}>>`;
}

function objectOf({ properties = {}, required = [] }: Node): string {
  const keys = Object.entries(properties).flatMap(([name, node]) => {
    const type = typeOf(node);
    const isNeeded = required.includes(name);
    return [...comment(node), `${name}${isNeeded ? `: ${type}` : `?: ${type} | undefined`};`];
  });
  return `{\n${keys.join("\n").replace(/^/gm, "  ")}\n}`;
}

function comment({ description = "", default: standard }: Node): readonly string[] {
  const isPlain = standard !== undefined && typeof standard !== "object";
  const words = [description, ...(isPlain ? [`Default ${JSON.stringify(standard)}.`] : [])];
  const text = words.filter(Boolean).join(" ");
  return text === "" ? [] : [`/** ${text} */`];
}
