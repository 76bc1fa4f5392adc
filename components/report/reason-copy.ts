import type { Reason } from "@/lib/contract/report";

type ReasonCopy = {
  /** The finding as a short label. */
  title: string;
  /** The finding as one sentence. */
  meaning: string;
  harmlessCauses: string;
};

/** Texts of each reason. They explain and never recommend an action. */
export const REASON_COPY: Record<Reason, ReasonCopy> = {
  BROWSER_VERSION_MISMATCH: {
    title: "The browser's versions disagree",
    meaning: "The browser reports versions that do not agree with each other.",
    harmlessCauses: "extensions that change the user agent, enterprise builds",
  },
  BROWSER_IDENTITY_MISMATCH: {
    title: "One browser presents itself as another",
    meaning: "There are signs of one browser presenting itself as another.",
    harmlessCauses: "privacy browsers, device emulation",
  },
  OS_ENVIRONMENT_MISMATCH: {
    title: "The operating system is not the one claimed",
    meaning: "The operating system claimed and the one observed differ.",
    harmlessCauses: "desktop-site mode on phones, remote desktops",
  },
  AUTOMATION_DETECTED: {
    title: "Software seems to drive the browser",
    meaning: "There are signs of software that drives the browser.",
    harmlessCauses: "uptime monitors, end-to-end tests, some accessibility tools",
  },
  ENVIRONMENT_INCONSISTENT: {
    title: "The device's properties contradict each other",
    meaning: "Device properties contradict each other.",
    harmlessCauses: "virtual machines, protection against fingerprinting",
  },
  PROXY_DETECTED: {
    title: "The visit came through a proxy or VPN",
    meaning: "Traffic came through a proxy or VPN.",
    harmlessCauses: "a company's VPN, iCloud Private Relay",
  },
  HOSTING_NETWORK_DETECTED: {
    title: "The address belongs to a hosting provider",
    meaning: "The address belongs to a hosting provider.",
    harmlessCauses: "cloud desktops, a company's own exit through a data centre",
  },
  NETWORK_INCONSISTENT: {
    title: "Two public addresses do not match",
    meaning: "The two public addresses seen for this client do not match.",
    harmlessCauses: "IPv4 and IPv6 side by side, carrier address translation",
  },
  LOCATION_INCONSISTENT: {
    title: "Signs of place point to different places",
    meaning: "Time zone, language and address point to different places.",
    harmlessCauses: "travel, living abroad",
  },
  SIGNAL_DATA_INCOMPLETE: {
    title: "Some checks could not run",
    meaning: "Some checks could not run.",
    harmlessCauses: "a blocked script, an old browser",
  },
};
