// Where does finished work go in memory?

import type { Ports } from "../../src/engine/ports.ts";

/** All of it is where it belongs. */
export const LANDING: Ports["landing"] = {
  plan: async ({ commit }) => ({ kind: "contained", commit }),
  tree: () => Promise.reject(new Error("nothing is to be proven")),
  move: async (_branch, { to }) => ({ kind: "landed", commit: to, url: null }),
  propose: async ({ commit }) => ({ kind: "landed", commit, url: null }),
};
