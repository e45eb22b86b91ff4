// What lies between a program and its server, and can be cut?

import { connect, createServer, type Socket } from "node:net";

/** Carries bytes both ways until it is cut: then nothing comes through, and nobody hears of an end. */
export async function startProxy(server: string) {
  const [host = "", port = ""] = server.split(":");
  const sockets = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = connect(Number(port), host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("error", () => to.destroy()).pipe(to);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("it listens at a port");
  return {
    address: `127.0.0.1:${address.port}`,
    cut: (): void => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: (): void => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
