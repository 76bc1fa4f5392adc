import type postgres from "postgres";

/** Real time; this process and the database are ahead of it by `aheadMs`. */
const RealDate = Date;
let aheadMs = 0;

class ShiftedDate extends RealDate {
  constructor(...values: [] | [number | string | Date]) {
    super(values.length === 0 ? RealDate.now() + aheadMs : values[0]);
  }
  static override now(): number {
    return RealDate.now() + aheadMs;
  }
}

/**
 * Simulates the passage of days: for this process, and for database statements on connections opened after this, which
 * find functions of the same names first on their search path.
 */
export async function openClock(admin: postgres.Sql) {
  const [row] = await admin<{ name: string }[]>`select quote_ident(current_database()) as name`;
  await admin.unsafe(`
    create table bench_clock (ahead interval not null);
    insert into bench_clock values ('0');
    grant select on bench_clock to public;
    create function public.now() returns timestamptz language sql stable
      as 'select pg_catalog.now() + ahead from public.bench_clock';
    create function public.clock_timestamp() returns timestamptz language sql volatile
      as 'select pg_catalog.clock_timestamp() + ahead from public.bench_clock';
    alter database ${row?.name} set search_path = public, pg_catalog`);
  globalThis.Date = ShiftedDate as DateConstructor; // safe: its constructor accepts the arguments that the service uses
  return {
    async moveTo(at: Date) {
      aheadMs = at.getTime() - RealDate.now();
      await admin`update bench_clock set ahead = make_interval(secs => ${aheadMs / 1000})`;
    },
  };
}
export type Clock = Awaited<ReturnType<typeof openClock>>;
