export default {
  agent: "scripted",
  agents: { scripted: { driver: "command", command: [process.execPath, "agent.mjs"] } },
  taskFolder: "tasks",
  gates: { tests: { run: "npm test" } },
};
