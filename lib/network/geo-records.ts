import type { Reader, Response } from "maxmind";
import { isIpv6 } from "./address";

/** One file for each address family: an IPv4 file answers an IPv6 address with a record of some other address. */
export type CityReaders = { v4: Reader<Response>; v6: Reader<Response> };

export type Place = {
  countryCode?: string;
  region?: string;
  city?: string;
  latitude?: number;
  longitude?: number;
};

const textField = (record: object, name: string): string | undefined => {
  const value: unknown = Reflect.get(record, name);
  return typeof value === "string" && value !== "" ? value : undefined;
};

const numberField = (record: object, name: string): number | undefined => {
  const value: unknown = Reflect.get(record, name);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
};

const COUNTRY_CODE = /^[A-Z]{2}$/;

/** "ZZ" stands for "not known" in these sets. */
const countryField = (record: object): string | undefined => {
  const code = textField(record, "country_code");
  return code !== undefined && COUNTRY_CODE.test(code) && code !== "ZZ" ? code : undefined;
};

/** Where an address is. @param canonical an address as `canonicalAddress` returns it */
export function findPlace(readers: CityReaders, canonical: string): Place {
  const record: object | null = (isIpv6(canonical) ? readers.v6 : readers.v4).get(canonical);
  if (record === null) return {};
  const [countryCode, region, city] = [countryField(record), textField(record, "state1"), textField(record, "city")];
  const [latitude, longitude] = [numberField(record, "latitude"), numberField(record, "longitude")];
  return {
    ...(countryCode !== undefined && { countryCode }),
    ...(region !== undefined && { region }),
    ...(city !== undefined && { city }),
    ...(latitude !== undefined && { latitude }),
    ...(longitude !== undefined && { longitude }),
  };
}

/** The country to which the registries assigned an address; the reader's file holds both families. */
export function findRegistryCountry(reader: Reader<Response>, canonical: string): string | undefined {
  const record: object | null = reader.get(canonical);
  return record === null ? undefined : countryField(record);
}
