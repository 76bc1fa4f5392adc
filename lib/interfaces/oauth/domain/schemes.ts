/** Schemes of MCP client applications that are not reverse domain names. */
const KNOWN_CLIENTS = new Set(
  [
    ...["claude", "code-oss", "cursor", "goose", "jetbrains", "kiro", "lmstudio", "raycast", "trae"],
    ...["vscode", "vscode-insiders", "vscodium", "warp", "windsurf", "zed"],
  ].map((name) => `${name}:`),
);

/** Schemes that a browser or operating system handles itself: a redirect would execute or open the address. */
const SYSTEM_SCHEMES =
  /^(?:about|acrobat|afp|android-app|appinstaller|applescript|apt|blob|calculator|chrome|chrome-extension|content|data|dav|dict|facetime(?:-audio)?|feed|file|filesystem|finger|ftps?|git|gopher|hcp|help|imap|intent|irc|itms[a-z-]*|jar|javascript|ldaps?|livescript|macappstores?|magnet|mailto|maps|market|message|microsoft-edge|mk|mms[a-z]*|mocha|moz-extension|ms|ms-.*|nfs|nntp|onenote.*|pop|res|resource|rlogin|rtsp|search|search-ms|sftp|shell|shortcuts|sips?|smb|sms(?:to)?|ssh|store|svn|telnet|tel|tftp|vbscript|vnc|view-source|wais|webcals?|windows.*|wss?|wyciwyg|x-.*|xmpp):$/;

/**
 * Reverse domain names. Those of operating system vendors belong to system components. Source: RFC 8252, section 7.1.
 */
const REVERSE_DOMAIN = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:$/;
const OF_A_SYSTEM =
  /^(?:com\.(?:apple|microsoft|google|android|samsung|huawei|xiaomi)|org\.(?:chromium|gnome|kde|freedesktop))\./;

/** Whether a scheme belongs to the browser or operating system; codes are never sent there. */
export const isSystemScheme = (protocol: string): boolean => SYSTEM_SCHEMES.test(protocol);

/**
 * Whether codes may be sent to a custom scheme without an operator's rule: it belongs to a known client or is a reverse
 * domain name.
 */
export const isApplicationScheme = (protocol: string): boolean =>
  KNOWN_CLIENTS.has(protocol) ||
  (REVERSE_DOMAIN.test(protocol) && !OF_A_SYSTEM.test(protocol) && !isSystemScheme(protocol));
