/**
 * Addresses that demo visits may claim: one per kind of network, chosen by what public registries say about the
 * network. They represent no particular person.
 */
export const SAMPLES = [
  {
    id: "home",
    label: "A home in Germany",
    detail: "sample address 87.128.14.20, an access provider",
    address: "87.128.14.20",
  },
  {
    id: "mobile",
    label: "A phone in the United States",
    detail: "sample address 172.58.10.20, a mobile carrier",
    address: "172.58.10.20",
  },
  {
    id: "hosting",
    label: "A server in a data centre",
    detail: "sample address 88.198.50.10, a hosting network",
    address: "88.198.50.10",
  },
  {
    id: "ipv6",
    label: "A home with IPv6",
    detail: "sample address 2003:c0:8f00::1, an access provider",
    address: "2003:c0:8f00::1",
  },
  { id: "none", label: "No sample", detail: "the address of this machine, which is private", address: undefined },
];
