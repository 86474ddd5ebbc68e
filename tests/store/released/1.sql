CREATE TABLE public.holders (
    holder text NOT NULL,
    table_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.presence (
    table_id text NOT NULL,
    holder text NOT NULL,
    node text NOT NULL,
    until bigint NOT NULL
);
CREATE TABLE public.settings (
    name text NOT NULL,
    value text NOT NULL
);
CREATE TABLE public.stationmaster_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.steps (
    table_id text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    at bigint NOT NULL,
    data text NOT NULL
);
CREATE TABLE public.tables (
    id text NOT NULL COLLATE pg_catalog."C",
    code text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    changed bigint NOT NULL,
    is_public boolean NOT NULL,
    is_over boolean NOT NULL,
    due bigint,
    in_group text,
    holders text NOT NULL,
    summary text NOT NULL,
    wake bigint,
    node text
)
WITH (fillfactor='50');
CREATE TABLE public.talk (
    table_id text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    at bigint NOT NULL,
    data text NOT NULL
);
INSERT INTO public.holders VALUES ('ann', 'match');
INSERT INTO public.holders VALUES ('ben', 'match');
INSERT INTO public.settings VALUES ('key', 'secret of the day');
INSERT INTO public.stationmaster_version VALUES ('1');
INSERT INTO public.steps VALUES ('bare', 1, 999, '[]');
INSERT INTO public.steps VALUES ('match', 1, 1001, '{"moved": 1}');
INSERT INTO public.steps VALUES ('match', 2, 1002, '{"moved": 2}');
INSERT INTO public.steps VALUES ('match', 3, 1003, '{"moved": 3}');
INSERT INTO public.tables VALUES ('match', 'ABCD', 3, 1003, true, false, 5000, 'day-2026-11-19', '["ann","ben"]', '{"names": ["Ñ"]}', 5000, NULL);
INSERT INTO public.talk VALUES ('match', 1, 1002, '"hello"');
INSERT INTO public.talk VALUES ('match', 2, 1003, '"bye"');
ALTER TABLE ONLY public.holders
    ADD CONSTRAINT holders_pkey PRIMARY KEY (holder, table_id);
ALTER TABLE ONLY public.presence
    ADD CONSTRAINT presence_pkey PRIMARY KEY (table_id, holder, node);
ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.stationmaster_version
    ADD CONSTRAINT stationmaster_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.steps
    ADD CONSTRAINT steps_pkey PRIMARY KEY (table_id, version);
ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_code_key UNIQUE (code);
ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.talk
    ADD CONSTRAINT talk_pkey PRIMARY KEY (table_id, number);
CREATE INDEX holders_table_id ON public.holders USING btree (table_id);
CREATE INDEX presence_node ON public.presence USING btree (node);
CREATE INDEX tables_in_group ON public.tables USING btree (in_group) WHERE (in_group IS NOT NULL);
CREATE INDEX tables_public ON public.tables USING btree (changed) WHERE is_public;
CREATE INDEX tables_wake ON public.tables USING btree (wake) WHERE (wake IS NOT NULL);
