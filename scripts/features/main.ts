import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

import { ROOT } from "./build/layout.mjs";
import { featureReleases } from "./features/feature-releases.mjs";

const HELP = `npm run features:update -- [options]

Writes lib/visits/risk/domain/feature-releases.json from the installed @mdn/browser-compat-data: which release
of each engine brought each feature that the component looks for, and which releases there are. Run it
after raising the pin of that package and before each release of the service.

  --check          write nothing; exit 1 when the file is not what the package says
  --help           this text`;

const FILE = "lib/visits/risk/domain/feature-releases.json";

const { values: options } = parseArgs({ options: { check: { type: "boolean" }, help: { type: "boolean" } } });

async function main() {
  if (options.help) return void console.log(HELP);
  const target = path.join(ROOT, FILE);
  const text = `${JSON.stringify(await featureReleases(), null, 2)}\n`;
  const isCurrent = fs.existsSync(target) && fs.readFileSync(target, "utf8") === text;
  if (!options.check) {
    fs.writeFileSync(target, text);
    console.log(isCurrent ? `${FILE} is current` : `wrote ${FILE}`);
    return;
  }
  if (isCurrent) return void console.log(`${FILE} is current`);
  console.error(`${FILE} is not what the installed @mdn/browser-compat-data says. Run "npm run features:update".`);
  process.exitCode = 1;
}

await main();
