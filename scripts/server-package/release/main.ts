import { runCommand } from "../../common/command";
import { keepRelease } from "../../component/release/keep";
import { bundleServerPackage } from "../bundle.mjs";

await runCommand({
  name: "server-package:release",
  about:
    "Stores the files of the current version of the server package permanently in releases/server. A version that is already released is refused unless the sources still produce the same files.",
  options: {},
  async run() {
    const bundle = await bundleServerPackage();
    const isNew = await keepRelease("server", bundle);
    console.log(
      isNew
        ? `Server package ${bundle.version} is released: commit releases/server`
        : `Server package ${bundle.version} is already released, and its sources have not changed`,
    );
    return 0;
  },
});
