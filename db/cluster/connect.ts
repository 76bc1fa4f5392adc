import type postgres from "postgres";

import { openClient } from "../open-client";

/** A connection for statements without a time limit. */
export const connectForPlacing = (url: string): postgres.Sql =>
  openClient(url, {
    max: 1,
    fetch_types: false,
    prepare: false,
    connect_timeout: 10,
    idle_timeout: 0,
    max_lifetime: null,
    onnotice: () => undefined,
    connection: { TimeZone: "UTC", application_name: "imprint-distribute" },
  });
