import { expect, test } from "vitest";

import { createTurns } from "../../src/gates/gates.ts";

/** Something that ends when it is told to. */
function pending() {
  let end = (): void => undefined;
  const promise = new Promise<void>((resolve) => (end = resolve));
  return { run: () => promise, end };
}

test("what runs beside another had company, whichever began first; what runs by itself had none", async () => {
  const turns = createTurns();
  const [first, second] = [pending(), pending()];
  const both = [turns.together(first.run), turns.together(second.run)];
  first.end();
  second.end();
  const answers = [...(await Promise.all(both)), await turns.together(async () => undefined)];
  expect(answers.map(({ hadCompany }) => hadCompany)).toEqual([true, true, false]);
});

test("one that is alone waits for those that run, and those that follow wait for it", async () => {
  const turns = createTurns();
  const order: string[] = [];
  const first = pending();
  const running = turns.together(async () => {
    await first.run();
    order.push("beside");
  });
  const alone = turns.alone(async () => void order.push("alone"));
  const later = turns.together(async () => void order.push("later"));
  first.end();
  await Promise.all([running, alone, later]);
  expect(order).toEqual(["beside", "alone", "later"]);
});

test("one that fails keeps nobody waiting", async () => {
  const turns = createTurns();
  await expect(turns.together(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(turns.alone(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await turns.alone(async () => "alone")).toBe("alone");
});
