import { execFile, execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { ROOT } from "../../build/layout.mjs";

const FOLDER = path.join(ROOT, ".test/bench-http");
const GENERATOR = path.join(ROOT, "scripts/bench/http/generator.mjs");
const run = promisify(execFile);
export const CONNECTIONS = 16;

export type Tool = "wrk" | "node";
export const isTool = (name: string): name is Tool => name === "wrk" || name === "node";

/** Prefers wrk: it uses a tenth of the CPU of a generator in Node, which leaves the processors to the server. */
export function chooseLoad(): Tool {
  try {
    execFileSync("wrk", ["-v"], { stdio: "ignore" });
  } catch (error) {
    // wrk has no version flag that succeeds: it prints its usage and exits with 1.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "node";
  }
  return "wrk";
}

/** Writes each request prefixed with its length in eight digits, the format of both generators. */
function writeRequests(requests: readonly string[]): string {
  const file = path.join(FOLDER, "requests");
  const pieces = requests.flatMap((request) => {
    const bytes = Buffer.from(request);
    return [Buffer.from(String(bytes.length).padStart(8, "0")), bytes];
  });
  fs.writeFileSync(file, Buffer.concat(pieces));
  return file;
}

const luaScript = (file: string) => `
local messages, at = {}, 0
init = function()
  local input = assert(io.open(${JSON.stringify(file)}, "rb"))
  for length in function() return input:read(8) end do messages[#messages + 1] = input:read(tonumber(length)) end
  input:close()
end
request = function()
  at = at % #messages + 1
  return messages[at]
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('RESULT {"requests":%d,"failed":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f}', summary.requests,
    e.status + e.connect + e.read + e.write + e.timeout, summary.duration / 1000000,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
`;

/** `failed` includes refused requests. */
export type Load = { requests: number; failed: number; seconds: number; p50Ms: number; p99Ms: number };

/** Sends the requests repeatedly for some seconds, on `CONNECTIONS` connections. */
export async function generateLoad(
  tool: Tool,
  { address, seconds, requests }: { address: string; seconds: number; requests: readonly string[] },
): Promise<Load> {
  fs.mkdirSync(FOLDER, { recursive: true });
  const file = writeRequests(requests);
  if (tool === "wrk") {
    const script = path.join(FOLDER, "load.lua");
    fs.writeFileSync(script, luaScript(file));
    const { stdout } = await run("wrk", ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "-s", script, address]);
    return JSON.parse(/RESULT (\{.*\})/.exec(stdout)?.[1] ?? "") as Load; // safe: the script above prints it
  }
  const port = new URL(address).port;
  const { stdout } = await run(process.execPath, [GENERATOR, file, port, String(CONNECTIONS), String(seconds)]);
  return JSON.parse(stdout) as Load; // safe: generator.mjs prints it
}
