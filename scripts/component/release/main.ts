import { runCommand } from "../../common/command";
import { bundleComponent } from "../bundle.mjs";
import { keepRelease } from "./keep";
import { recordSubmission } from "./record";

async function release(): Promise<string> {
  const bundle = await bundleComponent();
  const isNew = await keepRelease("component", bundle, () => recordSubmission(bundle.version));
  return isNew
    ? `Browser component ${bundle.version} is released: commit releases/component and lib/visits/submissions/released`
    : `Browser component ${bundle.version} is released already, and its sources have not changed`;
}

await runCommand({
  name: "component:release",
  about:
    "Keeps the files of the component's current version for good, under releases/component, and what they submit in a real Chromium, under lib/visits/submissions/released. A version that is released already is refused unless the sources still give the same files.",
  options: {},
  async run() {
    console.log(await release());
    return 0;
  },
});
