// How orch works in this repository. All keys: docs/config.md, which comes with orch.
// `orch validate` checks this file, `orch policy` shows every limit that counts.

/** @type {import("orch").OrchConfig} */
export default {
  /*{{agent}}*/ // `orch agents` shows which are there.

  // How readily orch asks a person: 0 never waits for one, 5 asks most readily.
  interactionThreshold: 2,

  // What proves the work. orch runs it itself, before the work and after every attempt.
  /*{{commands}}*/

  // How many tasks may run at once, if their `scope`s do not overlap.
  parallel: 2,
};
