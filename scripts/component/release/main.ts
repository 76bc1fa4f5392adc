import { runCommand } from "../../common/command";
import { bundleComponent } from "../bundle.mjs";
import { keepRelease } from "./keep";
import { recordSubmission } from "./record";

async function release(): Promise<string> {
  const bundle = await bundleComponent();
  const isNew = await keepRelease("component", bundle, () => recordSubmission(bundle.version));
  return isNew
    ? `Browser component ${bundle.version} is released: commit releases/component and lib/visits/submissions/released`
    : `Browser component ${bundle.version} is already released, and its sources have not changed`;
}

await runCommand({
  name: "component:release",
  about:
    "Stores the files of the component's current version permanently in releases/component, and their submission in a real Chromium in lib/visits/submissions/released. A version that is already released is refused unless the sources still produce the same files.",
  options: {},
  async run() {
    console.log(await release());
    return 0;
  },
});
