// Does a script or a target that is run by name say that it deploys?

import type { IrreversibleAction } from "./action.ts";
import { each } from "./call.ts";
import type { Call, Rule, Rules } from "./call.ts";
import { subcommand } from "./verb-table.ts";

const DEPLOYS = /^(?:[\w./-]{1,80}[:#])?deploy(?:$|[:\-_])/;
const PUBLISHES = /^publish(?:$|[:\-_])/;
/** "deploy:local" and "deploy-check" do not. */
const REHEARSES =
  /(?:^|[:\-_.])(?:local\w*|dry\w*|dev\w*|tests?|mocks?|check|emulat\w*|sandbox|build|lint|plan|diff|docs?|anvil|hardhat|ganache|kind|minikube|setup|config)(?:$|[:\-_.])/i;

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
const target: Rule = (call: Call) =>
  subcommand(call).some((word) => actOf(word) === "deploy") ? "deploy" : null;

export const SCRIPT_RULES: Rules = {
  ...each("npm pnpm yarn bun deno composer", packageScript),
  ...each("make gmake just task rake invoke inv poe nx turbo mise", target),
};
