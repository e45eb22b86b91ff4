// What is a tool of the agent, and which arguments does it take?

import { isObject, type JsonObject } from "../../core/model/json.ts";

/** As the Messages API takes it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly input_schema: { readonly type: "object" } & JsonObject;
}

export interface Tool {
  readonly spec: ToolSpec;
  /** Its words, and those of an error, are for the model. */
  readonly run: (input: JsonObject, call: string) => Promise<string>;
}

type Kind = "string" | "integer" | "string?" | "integer?";

/** The kind of each argument, with a question mark where it may be left out, and what belongs there. */
type Arguments = Readonly<Record<string, readonly [kind: Kind, words: string]>>;

/** `run` sees arguments that fit, and no others. */
export function defineTool(
  [name, description]: readonly [string, string],
  args: Arguments,
  run: Tool["run"],
): Tool {
  const all = Object.entries(args);
  const properties = all.map(([key, [kind, words]]) => {
    return [key, { type: kind.replace("?", ""), description: words }];
  });
  const required = all.flatMap(([key, [kind]]) => (kind.endsWith("?") ? [] : [key]));
  const schema = { type: "object" as const, properties: Object.fromEntries(properties), required };
  return {
    spec: { name, description, input_schema: schema },
    run: async (input, call) => {
      const misfit = all.find(([key, [kind]]) => !fits(input[key] ?? null, kind));
      if (misfit === undefined) return run(input, call);
      const [key, [kind, words]] = misfit;
      throw new Error(`The argument "${key}" must be of the type ${kind}. ${words}`);
    },
  };
}

function fits(value: unknown, kind: Kind): boolean {
  if (value === null) return kind.endsWith("?");
  return kind.startsWith("string") ? typeof value === "string" : Number.isInteger(value);
}

/** Never rejects: whatever goes wrong with a call is told to the model. */
export async function answerCall(
  tools: readonly Tool[],
  { id, name, input }: { id: string; name: string; input: unknown },
) {
  try {
    const tool = tools.find(({ spec }) => spec.name === name);
    const names = tools.map(({ spec }) => spec.name).join(", ");
    if (tool === undefined) throw new Error(`There is no tool ${name}; there are ${names}.`);
    if (!isObject(input)) throw new Error("The arguments must be one JSON object.");
    return { text: await tool.run(input, id), isError: false };
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isError: true };
  }
}
