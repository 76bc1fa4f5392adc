import { publishSecrets } from "@/lib/platform/secrets";
import { TEST_SECRETS } from "./secrets";

// Whatever the file before this one published in the process of their worker.
publishSecrets(TEST_SECRETS);
Reflect.deleteProperty(globalThis, Symbol.for("imprint.network"));
