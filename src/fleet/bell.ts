// How does a process wait for news or a moment, whichever comes first?

export type Bell = ReturnType<typeof createBell>;

/** Wakes whoever waits; a ring while nobody does is kept. */
export function createBell() {
  let rung = false;
  let wake: () => void = () => undefined;
  return {
    ring: (): void => {
      rung = true;
      wake();
    },
    next: async (ms: number): Promise<void> => {
      if (!rung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      rung = false;
    },
  };
}
