import { runCommand } from "../../common/command";
import { keepRelease } from "../../component/release/keep";
import { bundleServerPackage } from "../bundle.mjs";

await runCommand({
  name: "server-package:release",
  about:
    "Keeps the files of the current version of the package for servers for good, under releases/server. A version that is released already is refused unless the sources still give the same files.",
  options: {},
  async run() {
    const bundle = await bundleServerPackage();
    const isNew = await keepRelease("server", bundle);
    console.log(
      isNew
        ? `Package for servers ${bundle.version} is released: commit releases/server`
        : `Package for servers ${bundle.version} is released already, and its sources have not changed`,
    );
    return 0;
  },
});
