// Does a script or a target that is run by name say that it deploys?

import type { IrreversibleAction } from "../../core/model/irreversible.ts";
import { optionValues, subcommand } from "../shell/call.ts";
import type { Rule, Rules } from "./rule.ts";

const DEPLOYS = /^(?:[\w./-]{1,80}[:#])?deploy(?:$|[:\-_])/;
/** "publish-types" and the like write files. */
const PUBLISHES =
  /^publish(?:$|:|[-_](?:all|npm|packages?|releases?|latest|next|beta|canary|prod\w*)$)/;
/** "deploy:local" and "deploy-check" do not. */
const REHEARSES =
  /(?:^|[:\-_.])(?:local\w*|dry\w*|dev\w*|tests?|specs?|mocks?|check|emulat\w*|sandbox|build|lint|plan|diff|docs?|kind|minikube|setup|config)(?:$|[:\-_.])/i;

function actOf(name: string): IrreversibleAction | null {
  if (REHEARSES.test(name)) return null;
  if (DEPLOYS.test(name)) return "deploy";
  return PUBLISHES.test(name) ? "publish" : null;
}

/** What `npm run` and its kin are told to run. `pnpm deploy` is another thing: it copies a package. */
const packageScript: Rule = (call) => {
  const [first = "", second = "", third = "", fourth = ""] = subcommand(call);
  if (/^(?:run|run-script|task)$/.test(first)) return actOf(second);
  if (first === "workspace") return actOf(third === "run" ? fourth : third);
  return call.program === "yarn" || call.program === "bun" ? actOf(first) : null;
};

/** A `make publish` often only builds. */
function deploys(names: readonly string[]): IrreversibleAction | null {
  return names.some((name) => actOf(name) === "deploy") ? "deploy" : null;
}

/** Each word is a target. */
const targets: Rule = ({ program, args }) => {
  const end = args.indexOf("--");
  return deploys(subcommand({ program, args: end === -1 ? args : args.slice(0, end) }));
};

/** The first word is; what follows is told to it. */
const target: Rule = (call) => {
  const [first = "", second = ""] = subcommand(call);
  return deploys([/^(?:run|r)$/.test(first) ? second : first]);
};

/** `nx run web:deploy`, `nx run-many -t deploy`, `nx deploy web`. */
const nx: Rule = (call) => {
  const [first = "", second = ""] = subcommand(call);
  if (first === "run") return deploys([second.slice(second.indexOf(":") + 1)]);
  if (!/^(?:run-many|affected)$/.test(first)) return deploys([first]);
  return deploys(
    optionValues(call.args, "-t --target --targets").flatMap((names) => names.split(",")),
  );
};

export const NAME_RULES: Rules = [
  ["npm pnpm yarn bun deno composer", packageScript],
  ["make gmake task rake turbo", targets],
  ["just invoke inv poe mise", target],
  ["nx", nx],
];

const SCRIPT_FILE = /^([\w.-]{1,100})\.(?:sh|bash|zsh|ps1|py|rb|[cm]?[jt]s)$/;
const REHEARSAL = /^-{0,2}(?:local\w*|dev\w*|dry\w*|check|plan|tests?|kind|minikube)$/;

/** The rule for a file that is run: "deploy.sh". */
export const scriptFile: Rule = ({ program, args }) => {
  const name = SCRIPT_FILE.exec(program)?.[1];
  return name === undefined || args.some((arg) => REHEARSAL.test(arg)) ? null : actOf(name);
};
