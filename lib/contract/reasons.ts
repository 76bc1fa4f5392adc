import type { Reason } from "./report";

/** Explains a reason to a person. Never says what to do, which depends on the account and the business. */
export type ReasonCopy = { title: string; text: string; harmlessCauses: readonly string[] };

/** Does not import zod, because pages import this file. */
export const REASON_COPY: Record<Reason, ReasonCopy> = {
  BROWSER_VERSION_MISMATCH: {
    title: "Browser versions disagree",
    text: "The browser gives its version in several places, and they do not match each other.",
    harmlessCauses: ["An extension that changes the user agent", "A browser build managed by an enterprise"],
  },
  BROWSER_IDENTITY_MISMATCH: {
    title: "Browser poses as another",
    text: "The visit calls itself one browser and behaves like another.",
    harmlessCauses: ["A privacy browser", "Device emulation in developer tools"],
  },
  OS_ENVIRONMENT_MISMATCH: {
    title: "Operating systems disagree",
    text: "The operating system that the browser claims is not the one that its environment shows.",
    harmlessCauses: ["A phone that asks for the desktop site", "A remote desktop"],
  },
  AUTOMATION_DETECTED: {
    title: "Driven by software",
    text: "The visit shows traces of software that controls the browser in place of a person.",
    harmlessCauses: ["Uptime monitoring", "Accessibility tools", "End-to-end tests of the site"],
  },
  ENVIRONMENT_INCONSISTENT: {
    title: "Device facts disagree",
    text: "Properties of the device contradict each other.",
    harmlessCauses: ["A virtual machine", "Protection against fingerprinting"],
  },
  PROXY_DETECTED: {
    title: "Proxy or VPN",
    text: "The traffic reached the service through a proxy or a VPN.",
    harmlessCauses: ["A company VPN", "A privacy relay such as iCloud Private Relay"],
  },
  HOSTING_NETWORK_DETECTED: {
    title: "Hosting network",
    text: "The address belongs to a hosting provider or a data centre.",
    harmlessCauses: ["A cloud desktop", "A company network that leaves through a data centre"],
  },
  NETWORK_INCONSISTENT: {
    title: "Public addresses disagree",
    text: "Two public addresses were seen for this client, and they do not belong together.",
    harmlessCauses: ["A network with both IPv4 and IPv6", "Address sharing by a mobile carrier"],
  },
  LOCATION_INCONSISTENT: {
    title: "Locations disagree",
    text: "Time zone, language and address point to different places.",
    harmlessCauses: ["Travel", "People who live abroad"],
  },
  SIGNAL_DATA_INCOMPLETE: {
    title: "Checks could not run",
    text: "Data that important checks need is missing from the visit.",
    harmlessCauses: ["A blocked script", "An old browser"],
  },
};
