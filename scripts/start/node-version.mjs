const MIN_NODE = { major: 20, minor: 19 };

/** Exits with a remedy if this Node is too old for the service. */
export function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > MIN_NODE.major || (major === MIN_NODE.major && minor >= MIN_NODE.minor)) return;
  console.error(
    `Imprint needs Node.js ${MIN_NODE.major}.${MIN_NODE.minor} or newer; this is ${process.versions.node}. Install it from https://nodejs.org/ and try again.`,
  );
  process.exit(1);
}
