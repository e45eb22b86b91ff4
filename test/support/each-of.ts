// How are many runs tried in one test, a few at a time?

const AT_ONCE = 3;
const NAME_CHARS_MAX = 200;

/** Each is mostly waiting for its own processes; the first failure is the test's, and names its item. */
export async function eachOf<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      try {
        await work(item);
      } catch (error) {
        throw named(item, error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function named(item: unknown, error: unknown): unknown {
  if (error instanceof Error)
    error.message = `${JSON.stringify(item).slice(0, NAME_CHARS_MAX)}: ${error.message}`;
  return error;
}
