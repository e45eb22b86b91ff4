// What would a program do on another day? Loaded before it (`--import`), this moves its clock.
//
// ORCH_TEST_SHIFT_MS says by how much, in milliseconds. Only the date moves: timers and durations
// measured with `performance` run as always, and so does every program that is not Node.js.
const shiftMs = Number(process.env.ORCH_TEST_SHIFT_MS ?? 0);
const RealDate = globalThis.Date;

class ShiftedDate extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(ShiftedDate.now());
    else super(...given);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
}

if (shiftMs !== 0) globalThis.Date = ShiftedDate;
