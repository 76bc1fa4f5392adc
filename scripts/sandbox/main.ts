/** `npm run sandbox`: a chain and a facilitator on this machine, to sell trials to without real money. */
import { parseArgs } from "node:util";

import { loadSandbox } from "./sandbox/load.mjs";

const HELP = `Usage: npm run sandbox [-- --json]

Runs a simulated chain (eip155:31337) with one token, and the official x402 facilitator, on free
ports of this machine. No money of it is real. It prints the variables with which a service sells
trials in it, a buyer's key with money, and an address that makes faults happen:

  curl -d '{"inject":["accept_then_timeout"]}' CONTROL_URL     {"heal":true}   {"advanceSeconds":130}

  --json   one line of JSON instead of text
  --help   this text
Ctrl-C stops it.`;

const { values: options } = parseArgs({ options: { help: { type: "boolean" }, json: { type: "boolean" } } });

async function main() {
  if (options.help) return void console.log(HELP);
  const { startControl, startSandbox } = await loadSandbox();
  const sandbox = await startSandbox();
  const control = await startControl(sandbox);
  const buyer = sandbox.createAccount();
  const stop = async () => {
    await Promise.all([sandbox.close(), control.close()]);
    process.exit(0);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  const { variables } = sandbox;
  if (options.json) {
    const facts = {
      variables,
      control_url: control.url,
      buyer: { address: buyer.address, private_key: buyer.privateKey },
    };
    return void console.log(JSON.stringify(facts));
  }
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${JSON.stringify(value)}`);
  console.log(`Sandbox: no real money. Start the service in another terminal with these variables.\n
${lines.join("\n")}\n
A buyer with money: ${buyer.address}, key ${buyer.privateKey}
Faults: ${control.url} (see --help)\n
Ctrl-C stops everything.`);
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
