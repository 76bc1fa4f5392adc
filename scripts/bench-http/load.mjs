import { execFile, execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { ROOT } from "../build/layout.mjs";

const FOLDER = path.join(ROOT, ".test/bench-http");
const GENERATOR = fileURLToPath(new URL("generator.mjs", import.meta.url));
export const CONNECTIONS = 16;

/** wrk spends a tenth of what a generator in Node does, and leaves the processors to the server. */
export function chooseLoad() {
  try {
    execFileSync("wrk", ["-v"], { stdio: "ignore" });
  } catch (error) {
    // wrk has no exit code for success here: it prints its usage and ends with 1.
    if (error.code === "ENOENT") return "node";
  }
  return "wrk";
}

const luaList = (values) => `{${values.map((value) => JSON.stringify(value)).join(",")}}`;

const luaScript = (requests) => `
local paths = ${luaList(requests.map(([target]) => target))}
local keys = ${luaList(requests.map(([, key]) => key))}
local messages, at = {}, 0
init = function()
  for i = 1, #paths do messages[i] = wrk.format("GET", paths[i], { ["X-API-Key"] = keys[i] }) end
end
request = function()
  at = at % #messages + 1
  return messages[at]
end
done = function(summary)
  local e = summary.errors
  io.write(string.format('RESULT {"requests":%d,"failed":%d,"seconds":%f}', summary.requests,
    e.status + e.connect + e.read + e.write + e.timeout, summary.duration / 1000000))
end
`;

/**
 * Puts load on a server for some seconds.
 *
 * @param {"wrk" | "node"} tool
 * @param {{ name: string, address: string, seconds: number, requests: [string, string][] }} options
 * @returns {Promise<{ requests: number, failed: number, seconds: number }>} `failed` counts answers other than 200 too
 */
export async function putLoad(tool, { name, address, seconds, requests }) {
  fs.mkdirSync(FOLDER, { recursive: true });
  const run = promisify(execFile);
  if (tool === "wrk") {
    const script = path.join(FOLDER, `${name}.lua`);
    fs.writeFileSync(script, luaScript(requests));
    const { stdout } = await run("wrk", ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "-s", script, address]);
    return JSON.parse(/RESULT (\{.*\})/.exec(stdout)?.[1] ?? "{}");
  }
  const file = path.join(FOLDER, `${name}.json`);
  const port = Number(new URL(address).port);
  fs.writeFileSync(file, JSON.stringify({ port, connections: CONNECTIONS, seconds, requests }));
  return JSON.parse((await run(process.execPath, [GENERATOR, file])).stdout);
}
