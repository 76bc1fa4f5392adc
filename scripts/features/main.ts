import fs from "node:fs";

import { CHECK_OPTION, runCommand } from "../common/command";
import { featureReleases } from "./feature-releases";

const FILE = "lib/visits/risk/domain/feature-releases.json";

await runCommand({
  name: "features:update",
  about: `Writes ${FILE} from the installed @mdn/browser-compat-data: which release of each engine brought each feature that the component looks for, and which releases there are. Run it after raising the pin of that package and before each release of the service.`,
  options: {
    check: { ...CHECK_OPTION, about: "write nothing; exit code 1 when the file is not what the package says" },
  },
  run({ check }) {
    const text = `${JSON.stringify(featureReleases(), null, 2)}\n`;
    const isCurrent = fs.existsSync(FILE) && fs.readFileSync(FILE, "utf8") === text;
    if (check && !isCurrent)
      throw new Error(`${FILE} is not what the installed @mdn/browser-compat-data says. Run npm run features:update.`);
    if (!isCurrent) fs.writeFileSync(FILE, text);
    console.log(isCurrent ? `${FILE} is current` : `wrote ${FILE}`);
    return 0;
  },
});
