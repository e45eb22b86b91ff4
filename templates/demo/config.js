export default {
  agent: "scripted",
  agents: { scripted: { driver: "script", script: "script.json" } },
  taskFolder: "tasks",
  gates: { tests: { run: "npm test" } },
};
