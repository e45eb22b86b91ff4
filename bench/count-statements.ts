// How many statements does a client of PostgreSQL send?

import { connect, createServer } from "node:net";

/** Stands between client and server, and counts what goes to the server. No setting of the server is needed. */
export async function countStatements(server: string) {
  const [host = "", port = ""] = server.split(":");
  let count = 0;
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), host);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
    const take = statementsIn(() => (count += 1));
    client.on("data", take).pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, host, resolve));
  const at = proxy.address();
  return {
    address: `${host}:${typeof at === "object" && at ? at.port : 0}`,
    count: () => count,
    close: () => void proxy.close(),
  };
}

/**
 * Takes the bytes of a connection to PostgreSQL: messages of a letter, a length and so much. "Q" is a statement by
 * itself, "E" one that was sent with its values. The first message has no letter.
 */
function statementsIn(onStatement: () => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let letters = 0;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= letters + 4 && rest.length >= letters + rest.readInt32BE(letters)) {
      if (letters > 0 && "QE".includes(rest.toString("latin1", 0, 1))) onStatement();
      rest = rest.subarray(letters + rest.readInt32BE(letters));
      letters = 1;
    }
  };
}
