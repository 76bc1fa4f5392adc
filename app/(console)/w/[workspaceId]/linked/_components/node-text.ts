import type { AddressKind, Pattern } from "@/lib/visits/investigation";

/** Who uses an address, and whether links are followed through it. */
export const ADDRESS_TEXTS: Record<AddressKind, string> = {
  home: "one household",
  unknown: "not known who shares it",
  carrier: "a carrier: strangers share it, not followed",
  office: "a company: colleagues share it, not followed",
  hosting: "a data centre: strangers share it, not followed",
  proxy: "a VPN, proxy or relay: strangers share it, not followed",
  crowded: "more devices than a household has: not followed",
};

export const PATTERN_TEXTS: Record<Pattern, { title: string; text: string }> = {
  ring: {
    title: "Accounts and devices form a ring",
    text: "Several accounts share devices with each other, or crowd on one, apart from any shared address.",
  },
  shared_account: {
    title: "One account on many devices",
    text: "The account moves among more devices than one person uses; the devices have no other accounts in common.",
  },
  household: {
    title: "Looks like a household",
    text: "Several devices are tied by one home or by a couple of accounts. No account crowds on them.",
  },
  single: {
    title: "Nothing unusual is tied together",
    text: "One device with its own accounts, or the other way round.",
  },
};
