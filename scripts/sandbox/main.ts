import { JSON_OPTION, runCommand } from "../common/command";
import { startControl } from "./control";
import { startSandbox } from "./sandbox";

await runCommand({
  name: "sandbox",
  about: `Runs a simulated chain (eip155:31337) with one token, and the official x402 facilitator, on free ports of this machine. No real money is involved. Prints the environment variables for a service that sells trials in it, a funded buyer's key, and a URL for injecting faults:

  curl -d '{"inject":["accept_then_timeout"]}' CONTROL_URL     {"heal":true}   {"advanceSeconds":130}`,
  options: { json: JSON_OPTION },
  notes: "Ctrl-C stops it.",
  isEndedBySignal: true,
  async run(values, cleanUp) {
    const sandbox = await startSandbox();
    const control = await startControl(sandbox);
    cleanUp.push(() => Promise.all([sandbox.close(), control.close()]));
    const buyer = sandbox.createRefilledAccount();
    const { variables } = sandbox;
    if (values.json) {
      const account = { address: buyer.address, private_key: buyer.privateKey };
      console.log(JSON.stringify({ variables, control_url: control.url, buyer: account }));
      return undefined;
    }
    const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${JSON.stringify(value)}`);
    console.log(`Sandbox: no real money. Start the service in another terminal with these variables.\n
${lines.join("\n")}\n
A buyer whose money never ends: ${buyer.address}, key ${buyer.privateKey}
Faults: ${control.url} (see --help)\n
Ctrl-C stops everything.`);
    return undefined;
  },
});
