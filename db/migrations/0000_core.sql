CREATE TABLE "device_claims" (
	"workspace_id" uuid NOT NULL,
	"claim_key" "bytea" NOT NULL,
	"device_id" uuid NOT NULL,
	"claimed_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "device_claims_workspace_id_claim_key_pk" PRIMARY KEY("workspace_id","claim_key")
);
--> statement-breakpoint
CREATE TABLE "device_keys" (
	"workspace_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"key" bigint NOT NULL,
	"seen" date NOT NULL,
	CONSTRAINT "device_keys_workspace_id_device_id_key_pk" PRIMARY KEY("workspace_id","device_id","key")
);
--> statement-breakpoint
CREATE TABLE "device_populations" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"devices" integer NOT NULL,
	"counts" jsonb NOT NULL,
	"counted_at" timestamp (6) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_profiles" (
	"workspace_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"profile" json NOT NULL,
	CONSTRAINT "device_profiles_workspace_id_device_id_pk" PRIMARY KEY("workspace_id","device_id")
);
--> statement-breakpoint
CREATE TABLE "device_shadows" (
	"workspace_id" uuid NOT NULL,
	"day" date NOT NULL,
	"shard" smallint NOT NULL,
	"agreed" integer NOT NULL,
	"missed" integer NOT NULL,
	"wrong" integer NOT NULL,
	CONSTRAINT "device_shadows_workspace_id_day_shard_pk" PRIMARY KEY("workspace_id","day","shard")
);
--> statement-breakpoint
CREATE TABLE "api_key_uses" (
	"workspace_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"hour" timestamp (6) with time zone NOT NULL,
	"address" text NOT NULL,
	"agent" text NOT NULL,
	"operation" text NOT NULL,
	"code" text NOT NULL,
	"calls" integer NOT NULL,
	"first_at" timestamp (6) with time zone NOT NULL,
	"last_at" timestamp (6) with time zone NOT NULL,
	"last_request_id" text NOT NULL,
	CONSTRAINT "api_key_uses_pkey" PRIMARY KEY("workspace_id","key_id","hour","address","agent","operation","code")
);
--> statement-breakpoint
CREATE TABLE "mcp_policy" (
	"scope" text PRIMARY KEY NOT NULL,
	"is_enabled" boolean NOT NULL,
	"redirect_rules" text[] NOT NULL,
	"changed_at" timestamp (6) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oauth_connections" (
	"workspace_id" uuid NOT NULL,
	"grant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"client_id" text NOT NULL,
	"client_name" text NOT NULL,
	"verified_host" text,
	"redirect_target" text NOT NULL,
	"scope" text NOT NULL,
	"connected_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (6) with time zone,
	"last_called_at" timestamp (6) with time zone,
	"last_tool" text,
	"expires_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "oauth_connections_workspace_id_grant_id_pk" PRIMARY KEY("workspace_id","grant_id")
);
--> statement-breakpoint
CREATE TABLE "oauth_records" (
	"model" text NOT NULL,
	"record_id" text NOT NULL,
	"payload" jsonb NOT NULL,
	"grant_id" text,
	"uid" text,
	"expires_at" timestamp (6) with time zone,
	"consumed_at" timestamp (6) with time zone,
	CONSTRAINT "oauth_records_model_record_id_pk" PRIMARY KEY("model","record_id")
);
--> statement-breakpoint
CREATE TABLE "tool_calls" (
	"workspace_id" uuid NOT NULL,
	"call_id" uuid NOT NULL,
	"called_at" timestamp (6) with time zone NOT NULL,
	"grant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"client_id" text NOT NULL,
	"client_name" text NOT NULL,
	"tool" text NOT NULL,
	"imprint" uuid,
	"code" text NOT NULL,
	"duration_ms" integer NOT NULL,
	"request_id" text NOT NULL,
	CONSTRAINT "tool_calls_workspace_id_called_at_call_id_pk" PRIMARY KEY("workspace_id","called_at","call_id")
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"user_id" text NOT NULL,
	"type" text NOT NULL,
	"provider" text NOT NULL,
	"provider_account_id" text NOT NULL,
	"refresh_token" text,
	"access_token" text,
	"expires_at" integer,
	"token_type" text,
	"scope" text,
	"id_token" text,
	"session_state" text,
	CONSTRAINT "accounts_provider_provider_account_id_pk" PRIMARY KEY("provider","provider_account_id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"session_token" text PRIMARY KEY NOT NULL,
	"session_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" text NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires" timestamp (6) with time zone NOT NULL,
	"user_agent" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "setup_links" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp (6) with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text,
	"image" text,
	"email_verified" timestamp (6) with time zone,
	"is_operator" boolean DEFAULT false NOT NULL,
	"sessions_from" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "verification_tokens" (
	"identifier" text NOT NULL,
	"token" text NOT NULL,
	"expires" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "verification_tokens_identifier_token_pk" PRIMARY KEY("identifier","token")
);
--> statement-breakpoint
CREATE TABLE "instance_notes" (
	"name" text PRIMARY KEY NOT NULL,
	"noted_at" timestamp (6) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"name" text PRIMARY KEY NOT NULL,
	"due_at" timestamp (6) with time zone NOT NULL,
	"lease_until" timestamp (6) with time zone,
	"lease_owner" text,
	"last_finished_at" timestamp (6) with time zone,
	"last_error" text DEFAULT '' NOT NULL,
	"progress" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "probe_sightings" (
	"nonce" uuid NOT NULL,
	"family" smallint NOT NULL,
	"address" "inet" NOT NULL,
	"seen_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "probe_sightings_nonce_family_pk" PRIMARY KEY("nonce","family")
) WITH (fillfactor = 100);
--> statement-breakpoint
CREATE UNLOGGED TABLE "rate_buckets" (
	"bucket" text PRIMARY KEY NOT NULL,
	"arrival_micros" bigint NOT NULL
) WITH (fillfactor = 70);
--> statement-breakpoint
CREATE TABLE "secret_checks" (
	"secret_id" text PRIMARY KEY NOT NULL,
	"check_value" "bytea" NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_attempts" (
	"intent_id" uuid NOT NULL,
	"attempt_id" uuid NOT NULL,
	"network" text NOT NULL,
	"asset" text NOT NULL,
	"payer" text NOT NULL,
	"nonce" text NOT NULL,
	"pay_to" text NOT NULL,
	"amount_atomic" text NOT NULL,
	"valid_after" bigint NOT NULL,
	"valid_before" bigint NOT NULL,
	"start_block" numeric NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"outcome" text,
	"resolved_at" timestamp (6) with time zone,
	"transaction" text,
	"settle_response" jsonb,
	"evidence" text,
	"evidence_block" text,
	"sealed_payload" text,
	CONSTRAINT "payment_attempts_intent_id_attempt_id_pk" PRIMARY KEY("intent_id","attempt_id"),
	CONSTRAINT "payment_attempts_payload_while_unresolved" CHECK ("payment_attempts"."sealed_payload" is null or "payment_attempts"."outcome" is null)
);
--> statement-breakpoint
CREATE TABLE "product_switches" (
	"product_code" text PRIMARY KEY NOT NULL,
	"is_enabled" boolean NOT NULL,
	"changed_at" timestamp (6) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trial_blocks" (
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"reason" text,
	"blocked_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "trial_blocks_kind_value_pk" PRIMARY KEY("kind","value")
);
--> statement-breakpoint
CREATE TABLE "trial_grants" (
	"workspace_id" uuid NOT NULL,
	"trial_id" uuid NOT NULL,
	"intent_id" uuid NOT NULL,
	"web_app_id" uuid NOT NULL,
	"environment_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"expires_at" timestamp (6) with time zone NOT NULL,
	"ended_at" timestamp (6) with time zone,
	"units_total" integer NOT NULL,
	"units_used" integer DEFAULT 0 NOT NULL,
	"submit_requests" integer NOT NULL,
	"submit_requests_used" integer DEFAULT 0 NOT NULL,
	"report_requests" integer NOT NULL,
	"report_requests_used" integer DEFAULT 0 NOT NULL,
	"requests_per_second" integer NOT NULL,
	CONSTRAINT "trial_grants_workspace_id_pk" PRIMARY KEY("workspace_id"),
	CONSTRAINT "trial_grants_units" CHECK ("trial_grants"."units_used" between 0 and "trial_grants"."units_total"),
	CONSTRAINT "trial_grants_submit_requests" CHECK ("trial_grants"."submit_requests_used" between 0 and "trial_grants"."submit_requests"),
	CONSTRAINT "trial_grants_report_requests" CHECK ("trial_grants"."report_requests_used" between 0 and "trial_grants"."report_requests")
);
--> statement-breakpoint
CREATE TABLE "trial_intent_events" (
	"intent_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"at" timestamp (6) with time zone NOT NULL,
	"event" text NOT NULL,
	"from_status" text NOT NULL,
	"to_status" text NOT NULL,
	"request_id" text,
	"detail" jsonb NOT NULL,
	CONSTRAINT "trial_intent_events_intent_id_revision_pk" PRIMARY KEY("intent_id","revision")
);
--> statement-breakpoint
CREATE TABLE "trial_intents" (
	"intent_id" uuid PRIMARY KEY NOT NULL,
	"claim_hash" "bytea" NOT NULL,
	"origin" text NOT NULL,
	"status" text DEFAULT 'payment_required' NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"pay_until" timestamp (6) with time zone NOT NULL,
	"limits" jsonb NOT NULL,
	"terms" jsonb,
	"attempt_id" uuid,
	"lease_until" timestamp (6) with time zone,
	"looked_at" timestamp (6) with time zone,
	"next_look_at" timestamp (6) with time zone,
	"looks" integer DEFAULT 0 NOT NULL,
	"trial_id" uuid,
	"workspace_id" uuid,
	"trial_expires_at" timestamp (6) with time zone,
	"deliver_until" timestamp (6) with time zone,
	"sealed_key" text,
	"ended_at" timestamp (6) with time zone,
	CONSTRAINT "trial_intents_key_while_active" CHECK ("trial_intents"."sealed_key" is null or "trial_intents"."status" = 'active'),
	CONSTRAINT "trial_intents_attempt_while_unresolved" CHECK ("trial_intents"."attempt_id" is not null or "trial_intents"."status" not in ('payment_in_progress', 'reconciliation_pending', 'provisioning', 'active'))
);
--> statement-breakpoint
CREATE TABLE "trial_refunds" (
	"intent_id" uuid NOT NULL,
	"transaction" text NOT NULL,
	"noted_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"noted_by" text NOT NULL,
	"note" text,
	CONSTRAINT "trial_refunds_intent_id_transaction_pk" PRIMARY KEY("intent_id","transaction")
);
--> statement-breakpoint
CREATE TABLE "report_deliveries" (
	"workspace_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"web_app_id" uuid NOT NULL,
	"key_id" uuid,
	"period" text NOT NULL,
	"delivered_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "report_deliveries_workspace_id_event_id_pk" PRIMARY KEY("workspace_id","event_id")
) PARTITION BY RANGE ("event_id");
--> statement-breakpoint
CREATE TABLE "unit_slices" (
	"workspace_id" uuid NOT NULL,
	"period" text NOT NULL,
	"slice" integer NOT NULL,
	"units_used" integer NOT NULL,
	"units_limit" integer,
	"plan_units" integer,
	CONSTRAINT "unit_slices_workspace_id_period_slice_pk" PRIMARY KEY("workspace_id","period","slice"),
	CONSTRAINT "unit_slices_within_limit" CHECK ("unit_slices"."units_limit" is null or "unit_slices"."units_used" <= "unit_slices"."units_limit")
);
--> statement-breakpoint
CREATE TABLE "usage_batches" (
	"workspace_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"day" date NOT NULL,
	"key_id" uuid,
	"web_app_id" uuid,
	"operation" text NOT NULL,
	"outcome" text NOT NULL,
	"calls" integer NOT NULL,
	"written_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "usage_batches_workspace_id_batch_id_line_pk" PRIMARY KEY("workspace_id","batch_id","line")
);
--> statement-breakpoint
CREATE TABLE "usage_days" (
	"workspace_id" uuid NOT NULL,
	"day" date NOT NULL,
	"key_id" uuid,
	"web_app_id" uuid,
	"operation" text NOT NULL,
	"outcome" text NOT NULL,
	"calls" bigint NOT NULL,
	"units" bigint NOT NULL,
	CONSTRAINT "usage_days_line" UNIQUE NULLS NOT DISTINCT("workspace_id","day","key_id","web_app_id","operation","outcome")
);
--> statement-breakpoint
CREATE TABLE "usage_marks" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"folded_until" timestamp (6) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_views" (
	"workspace_id" uuid NOT NULL,
	"view_id" uuid NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "report_views_workspace_id_view_id_pk" PRIMARY KEY("workspace_id","view_id"),
	CONSTRAINT "report_views_name" UNIQUE("workspace_id","name")
);
--> statement-breakpoint
CREATE TABLE "account_keys" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_links" (
	"workspace_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"account_hash" "bytea" NOT NULL,
	"recorded_at" timestamp (6) with time zone NOT NULL,
	"linked_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_links_workspace_id_event_id_pk" PRIMARY KEY("workspace_id","event_id")
) PARTITION BY RANGE ("event_id");
--> statement-breakpoint
CREATE TABLE "challenge_uses" (
	"workspace_id" uuid NOT NULL,
	"nonce" uuid NOT NULL,
	"body_hash" "bytea" NOT NULL,
	"event_id" uuid NOT NULL,
	"expires_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "challenge_uses_workspace_id_nonce_pk" PRIMARY KEY("workspace_id","nonce")
);
--> statement-breakpoint
CREATE TABLE "device_accounts" (
	"workspace_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"account_hash" "bytea" NOT NULL,
	"first_recorded_at" timestamp (6) with time zone NOT NULL,
	"first_event_id" uuid NOT NULL,
	CONSTRAINT "device_accounts_workspace_id_device_id_account_hash_pk" PRIMARY KEY("workspace_id","device_id","account_hash")
);
--> statement-breakpoint
CREATE TABLE "device_addresses" (
	"workspace_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"address" "inet" NOT NULL,
	"country_code" text NOT NULL,
	"first_seen_at" timestamp (6) with time zone NOT NULL,
	"last_seen_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "device_addresses_workspace_id_device_id_address_country_code_pk" PRIMARY KEY("workspace_id","device_id","address","country_code")
);
--> statement-breakpoint
CREATE TABLE "device_tokens" (
	"workspace_id" uuid NOT NULL,
	"token_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"bound_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "device_tokens_workspace_id_token_id_pk" PRIMARY KEY("workspace_id","token_id")
);
--> statement-breakpoint
CREATE TABLE "devices" (
	"workspace_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"first_seen_at" timestamp (6) with time zone NOT NULL,
	"last_recorded_at" timestamp (6) with time zone NOT NULL,
	"previous_recorded_at" timestamp (6) with time zone,
	"access_count" integer NOT NULL,
	"browser_family" text NOT NULL,
	"os_family" text NOT NULL,
	CONSTRAINT "devices_workspace_id_device_id_pk" PRIMARY KEY("workspace_id","device_id")
);
--> statement-breakpoint
CREATE TABLE "visits" (
	"workspace_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"web_app_id" uuid NOT NULL,
	"recorded_at" timestamp (6) with time zone NOT NULL,
	"access_count" integer NOT NULL,
	"surface" text NOT NULL,
	"origin" text NOT NULL,
	"address" "inet",
	"country_code" text,
	"asn" bigint,
	"connection_type" text,
	"status" text NOT NULL,
	"reasons" text[] NOT NULL,
	"browser_name" text,
	"os_name" text,
	"rules_version" text NOT NULL,
	"evidence" json NOT NULL,
	"signals" json,
	"report" text NOT NULL,
	CONSTRAINT "visits_workspace_id_event_id_pk" PRIMARY KEY("workspace_id","event_id")
) PARTITION BY RANGE ("event_id");
--> statement-breakpoint
CREATE TABLE "allowed_origins" (
	"workspace_id" uuid NOT NULL,
	"web_app_id" uuid NOT NULL,
	"origin" text NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "allowed_origins_workspace_id_web_app_id_origin_pk" PRIMARY KEY("workspace_id","web_app_id","origin")
);
--> statement-breakpoint
CREATE TABLE "api_key_lookup" (
	"key_hash" "bytea" PRIMARY KEY NOT NULL,
	"pepper_id" text NOT NULL,
	"workspace_id" uuid NOT NULL,
	"key_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"workspace_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"preview" text NOT NULL,
	"last_four" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (6) with time zone,
	"revoked_at" timestamp (6) with time zone,
	"last_used_at" timestamp (6) with time zone,
	"replaced_by" uuid,
	CONSTRAINT "api_keys_workspace_id_key_id_pk" PRIMARY KEY("workspace_id","key_id")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"workspace_id" uuid NOT NULL,
	"audit_id" uuid NOT NULL,
	"at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text NOT NULL,
	"credential" text NOT NULL,
	"address" "inet",
	"action" text NOT NULL,
	"target" text NOT NULL,
	"request_id" text,
	"detail" jsonb NOT NULL,
	CONSTRAINT "audit_log_workspace_id_audit_id_pk" PRIMARY KEY("workspace_id","audit_id")
);
--> statement-breakpoint
CREATE TABLE "environment_lookup" (
	"environment_id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"web_app_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"workspace_id" uuid NOT NULL,
	"invitation_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"can_see_addresses" boolean NOT NULL,
	"invited_by" text NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "invitations_workspace_id_invitation_id_pk" PRIMARY KEY("workspace_id","invitation_id"),
	CONSTRAINT "invitations_email" UNIQUE("workspace_id","email")
);
--> statement-breakpoint
CREATE TABLE "members" (
	"workspace_id" uuid NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"can_see_addresses" boolean NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "members_workspace_id_user_id_pk" PRIMARY KEY("workspace_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "refused_origins" (
	"workspace_id" uuid NOT NULL,
	"web_app_id" uuid NOT NULL,
	"hour" timestamp (6) with time zone NOT NULL,
	"origin" text NOT NULL,
	"count" integer NOT NULL,
	"last_seen_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "refused_origins_workspace_id_web_app_id_hour_origin_pk" PRIMARY KEY("workspace_id","web_app_id","hour","origin")
);
--> statement-breakpoint
CREATE TABLE "web_apps" (
	"workspace_id" uuid NOT NULL,
	"web_app_id" uuid NOT NULL,
	"environment_id" uuid NOT NULL,
	"name" text NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "web_apps_workspace_id_web_app_id_pk" PRIMARY KEY("workspace_id","web_app_id")
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"plan" text NOT NULL,
	"retention_days" integer,
	"logs_report_views" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "oauth_connections" ADD CONSTRAINT "oauth_connections_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_views" ADD CONSTRAINT "report_views_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allowed_origins" ADD CONSTRAINT "allowed_origins_workspace_id_web_app_id_web_apps_workspace_id_web_app_id_fk" FOREIGN KEY ("workspace_id","web_app_id") REFERENCES "public"."web_apps"("workspace_id","web_app_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "web_apps" ADD CONSTRAINT "web_apps_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_claims_device" ON "device_claims" USING btree ("workspace_id","device_id");--> statement-breakpoint
CREATE INDEX "device_keys_newest" ON "device_keys" USING btree ("workspace_id","key","seen" DESC NULLS LAST,"device_id");--> statement-breakpoint
CREATE INDEX "api_key_uses_hour" ON "api_key_uses" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "oauth_connections_grant" ON "oauth_connections" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "oauth_records_grant" ON "oauth_records" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "oauth_records_uid" ON "oauth_records" USING btree ("model","uid");--> statement-breakpoint
CREATE INDEX "oauth_records_expiry" ON "oauth_records" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "tool_calls_at" ON "tool_calls" USING btree ("called_at");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_once" ON "payment_attempts" USING btree ("network","asset","payer","nonce");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_settled_once" ON "payment_attempts" USING btree ("intent_id") WHERE outcome = 'settled';--> statement-breakpoint
CREATE INDEX "trial_intents_unresolved" ON "trial_intents" USING btree ("next_look_at") WHERE status in ('payment_in_progress', 'reconciliation_pending', 'provisioning');--> statement-breakpoint
CREATE INDEX "trial_intents_open" ON "trial_intents" USING btree ("pay_until") WHERE status in ('payment_required', 'payment_failed');--> statement-breakpoint
CREATE INDEX "trial_intents_active" ON "trial_intents" USING btree ("trial_expires_at") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "trial_intents_created" ON "trial_intents" USING btree ("created_at","intent_id");--> statement-breakpoint
CREATE INDEX "report_deliveries_delivered" ON "report_deliveries" USING btree ("workspace_id","delivered_at");--> statement-breakpoint
CREATE INDEX "account_links_account" ON "account_links" USING btree ("workspace_id","account_hash","recorded_at","event_id");--> statement-breakpoint
CREATE INDEX "device_accounts_device" ON "device_accounts" USING btree ("workspace_id","device_id","first_recorded_at","first_event_id");--> statement-breakpoint
CREATE INDEX "device_accounts_account" ON "device_accounts" USING btree ("workspace_id","account_hash","first_recorded_at","first_event_id");--> statement-breakpoint
CREATE INDEX "device_addresses_seen" ON "device_addresses" USING btree ("workspace_id","device_id","last_seen_at");--> statement-breakpoint
CREATE INDEX "device_addresses_address" ON "device_addresses" USING btree ("workspace_id","address");--> statement-breakpoint
CREATE INDEX "device_tokens_device" ON "device_tokens" USING btree ("workspace_id","device_id");--> statement-breakpoint
CREATE INDEX "devices_last_recorded" ON "devices" USING btree ("workspace_id","last_recorded_at");--> statement-breakpoint
CREATE INDEX "visits_device" ON "visits" USING btree ("workspace_id","device_id","recorded_at","event_id");--> statement-breakpoint
CREATE INDEX "visits_recorded" ON "visits" USING btree ("workspace_id","recorded_at","event_id","status","web_app_id","country_code","connection_type","browser_name","os_name","asn","reasons");--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("workspace_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_token" ON "invitations" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "members_user" ON "members" USING btree ("user_id");