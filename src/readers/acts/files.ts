// Which calls delete files that no checkpoint keeps?

import type { IrreversibleAction } from "../../core/model/irreversible.ts";
import { optionValues, positionals, setOf, type Call } from "../shell/call.ts";
import { findTargets } from "../shell/find-targets.ts";
import { absolutePath } from "../shell/folder.ts";
import { isInCreatedTree, type Created } from "./created.ts";
import { placeOf, type Place } from "./place.ts";
import type { Rule, Rules } from "./rule.ts";

function placesOf(paths: readonly string[], call: Call, created: Created): readonly Place[] {
  return paths.map((path) =>
    isInCreatedTree(path, call, created) ? "passing" : placeOf(path, call.where),
  );
}

const VALUED = setOf("-n --iterations -s --size --random-source -r --reference");

function deletion(paths: readonly string[], call: Call, created: Created): ReturnType<Rule> {
  const places = placesOf(paths, call, created);
  const place = places.find((one) => one === "history" || one === "outside");
  if (place === undefined) return null;
  return place === "history" ? "delete-history" : "delete-outside";
}

const remove: Rule = (call, created) => deletion(positionals(call.args), call, created);
const empty: Rule = (call, created) => deletion(positionals(call.args, VALUED), call, created);
const find: Rule = (call, created) =>
  call.args.includes("-delete") ? deletion(findTargets(call.args), call, created) : null;

/** What goes from where it is kept to where nothing is; a new name in a folder of its own is none. */
const move: Rule = (call, created) => {
  const words = positionals(call.args, setOf("-t --target-directory -S --suffix"));
  const [folder] = optionValues(call.args, "-t --target-directory");
  const target = placeOf(folder ?? words.at(-1) ?? "", call.where);
  const places = placesOf(folder === undefined ? words.slice(0, -1) : words, call, created);
  if (places.includes("history") && (target === "passing" || target === "outside"))
    return "delete-history";
  return places.includes("outside") && target === "passing" ? "delete-outside" : null;
};

export const DELETE_RULES: Rules = [
  ["rm grm unlink srm rimraf", remove],
  ["shred truncate", empty],
  ["find gfind", find],
  ["mv gmv", move],
];

/** Where settings and the system's own files lie; elsewhere a program may well write a new file. */
const LASTING = /\/\.[^/]|^\/(?:etc|usr|var|opt|srv|boot|lib|bin|sbin)\//;

/** `> ~/.bashrc`, whatever the program is: what the file held is gone. */
export function overwrites(call: Call, created: Created): IrreversibleAction | null {
  const paths = call.redirects
    .filter(({ operator }) => operator === ">" || operator === ">|")
    .map(({ target }) => target)
    .filter((path) => LASTING.test(absolutePath(path, call.where.cwd) ?? ""));
  return placesOf(paths, call, created).includes("outside") ? "delete-outside" : null;
}
