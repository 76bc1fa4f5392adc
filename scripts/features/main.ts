import fs from "node:fs";

import { CHECK_OPTION, runCommand } from "../common/command";
import { featureReleases } from "./feature-releases";

const FILE = "lib/visits/risk/domain/feature-releases.json";

await runCommand({
  name: "features:update",
  about: `Writes ${FILE} from the installed @mdn/browser-compat-data: the release in which each engine introduced each feature that the component checks, and the list of releases. Run it after updating that package and before each release of the service.`,
  options: {
    check: { ...CHECK_OPTION, about: "write nothing; exit with 1 if the file does not match the package" },
  },
  run({ check }) {
    const text = `${JSON.stringify(featureReleases(), null, 2)}\n`;
    const isCurrent = fs.existsSync(FILE) && fs.readFileSync(FILE, "utf8") === text;
    if (check && !isCurrent)
      throw new Error(`${FILE} does not match the installed @mdn/browser-compat-data. Run npm run features:update.`);
    if (!isCurrent) fs.writeFileSync(FILE, text);
    console.log(isCurrent ? `${FILE} is current` : `wrote ${FILE}`);
    return 0;
  },
});
