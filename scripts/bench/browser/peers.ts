/**
 * The libraries Imprint is compared with, used as described in their readmes. Each source sets `globalThis.measure`,
 * which does one complete run.
 */
export const PEERS = [
  {
    name: "FingerprintJS",
    package: "@fingerprintjs/fingerprintjs",
    source: `import { load } from "@fingerprintjs/fingerprintjs";
      globalThis.measure = async () => (await (await load({ monitoring: false })).get()).components;`,
  },
  {
    name: "ThumbmarkJS",
    package: "@thumbmarkjs/thumbmarkjs",
    source: `import { Thumbmark } from "@thumbmarkjs/thumbmarkjs";
      globalThis.measure = () => new Thumbmark({ logging: false }).get();`,
  },
  {
    name: "BotD",
    package: "@fingerprintjs/botd",
    source: `import { load } from "@fingerprintjs/botd";
      globalThis.measure = async () => { const bot = await load({ monitoring: false }); return { ...bot.detect(), ...bot.getComponents?.() }; };`,
  },
];
