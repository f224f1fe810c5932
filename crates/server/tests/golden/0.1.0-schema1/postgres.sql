--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: webhook_enqueue(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.webhook_enqueue() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    now_ms BIGINT := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
    last_seq BIGINT := COALESCE((SELECT max(seq) FROM game_log WHERE game_id = NEW.id), 0);
    may_be_release BOOLEAN := NEW.phase = 'leaderboard' OR OLD.phase = 'round_review'
        OR (OLD.phase = 'question' AND NEW.phase = 'ended');
BEGIN
    INSERT INTO webhook_delivery (id, webhook_id, game_id, event, seq, created_at_ms, due_at_ms)
    SELECT gen_random_uuid(), w.id, NEW.id, e.event, last_seq, now_ms, now_ms
    FROM webhook w CROSS JOIN (VALUES ('round.released'), ('game.ended')) AS e (event)
    WHERE w.host_id = NEW.host_id AND w.disabled_at_ms IS NULL
        AND ((e.event = 'round.released' AND w.round_released = 1 AND may_be_release)
            OR (e.event = 'game.ended' AND w.game_ended = 1 AND NEW.phase = 'ended'))
        AND (SELECT count(*) FROM webhook_delivery d WHERE d.webhook_id = w.id) < 1000;
    RETURN NULL;
END
$$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: _sqlx_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public._sqlx_migrations (
    version bigint NOT NULL,
    description text NOT NULL,
    installed_on timestamp with time zone DEFAULT now() NOT NULL,
    success boolean NOT NULL,
    checksum bytea NOT NULL,
    execution_time bigint NOT NULL
);


--
-- Name: creation_key; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.creation_key (
    host_id uuid NOT NULL,
    name bytea NOT NULL,
    request bytea NOT NULL,
    created uuid NOT NULL,
    created_at_ms bigint NOT NULL
);


--
-- Name: game; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.game (
    id uuid NOT NULL,
    host_id uuid NOT NULL,
    code text NOT NULL,
    code_held integer DEFAULT 1 NOT NULL,
    title text NOT NULL,
    phase text NOT NULL,
    closed integer DEFAULT 0 NOT NULL,
    created_at_ms bigint NOT NULL,
    ended_at_ms bigint,
    active_at_ms bigint NOT NULL,
    quiz_id uuid,
    owner uuid,
    follows uuid,
    damaged integer DEFAULT 0 NOT NULL,
    closed_at_ms bigint,
    counted integer DEFAULT 0 NOT NULL,
    invitations_ended_at_ms bigint
);


--
-- Name: game_hold; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.game_hold (
    game_id uuid NOT NULL,
    holder bigint NOT NULL,
    held_at_ms bigint NOT NULL,
    until_ms bigint NOT NULL
);


--
-- Name: game_log; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.game_log (
    game_id uuid NOT NULL,
    seq bigint NOT NULL,
    n bigint NOT NULL,
    epoch bigint NOT NULL,
    batch bigint NOT NULL,
    body text NOT NULL,
    checksum bigint
);


--
-- Name: game_media; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.game_media (
    game_id uuid NOT NULL,
    media_id uuid NOT NULL
);


--
-- Name: game_snapshot; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.game_snapshot (
    game_id uuid NOT NULL,
    name bigint NOT NULL,
    part bigint NOT NULL,
    seq bigint NOT NULL,
    batch bigint NOT NULL,
    next_seq bigint NOT NULL,
    format bigint NOT NULL,
    parts bigint,
    checksum bigint,
    body bytea NOT NULL
);


--
-- Name: host; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.host (
    id uuid NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    password_hash text,
    created_at_ms bigint NOT NULL,
    disabled_at_ms bigint,
    is_owner integer DEFAULT 0 NOT NULL
);


--
-- Name: host_identity; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.host_identity (
    issuer text NOT NULL,
    subject text NOT NULL,
    host_id uuid NOT NULL,
    created_at_ms bigint NOT NULL
);


--
-- Name: host_token; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.host_token (
    hash bytea NOT NULL,
    host_id uuid NOT NULL,
    created_at_ms bigint NOT NULL,
    expires_at_ms bigint NOT NULL,
    id uuid,
    name text,
    scopes bigint,
    last_used_at_ms bigint
);


--
-- Name: media; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.media (
    id uuid NOT NULL,
    host_id uuid NOT NULL,
    type text NOT NULL,
    bytes bigint NOT NULL,
    sha256 bytea NOT NULL,
    created_at_ms bigint NOT NULL,
    unused_at_ms bigint,
    width bigint,
    height bigint
);


--
-- Name: media_part; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.media_part (
    media_id uuid NOT NULL,
    part bigint NOT NULL,
    body bytea NOT NULL
);


--
-- Name: node; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.node (
    id uuid NOT NULL,
    name text NOT NULL,
    version text NOT NULL,
    entered_at_ms bigint NOT NULL,
    seen_at_ms bigint NOT NULL,
    beat bigint NOT NULL,
    games bigint NOT NULL,
    sockets bigint NOT NULL,
    bus_lag_us bigint,
    draining integer NOT NULL,
    log_version bigint DEFAULT 1 NOT NULL
);


--
-- Name: probe; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.probe (
    id integer NOT NULL,
    count bigint NOT NULL,
    at_ms bigint NOT NULL,
    CONSTRAINT probe_id_check CHECK ((id = 1))
)
WITH (fillfactor='50');


--
-- Name: question_asked; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.question_asked (
    host_id uuid NOT NULL,
    question_id uuid NOT NULL,
    game_id uuid NOT NULL,
    players bigint NOT NULL,
    answered bigint NOT NULL,
    correct bigint
);


--
-- Name: question_search; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.question_search (
    host_id uuid NOT NULL,
    quiz_id uuid NOT NULL,
    place bigint NOT NULL,
    question_id uuid NOT NULL,
    words text NOT NULL,
    tags text NOT NULL,
    body text NOT NULL
);


--
-- Name: quiz; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.quiz (
    id uuid NOT NULL,
    host_id uuid NOT NULL,
    title text NOT NULL,
    round_count bigint NOT NULL,
    question_count bigint NOT NULL,
    body text NOT NULL,
    created_at_ms bigint NOT NULL,
    updated_at_ms bigint NOT NULL,
    tags text DEFAULT '[]'::text NOT NULL
);


--
-- Name: quiz_media; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.quiz_media (
    quiz_id uuid NOT NULL,
    media_id uuid NOT NULL
);


--
-- Name: quiz_search; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.quiz_search (
    quiz_id uuid NOT NULL,
    host_id uuid NOT NULL,
    updated_at_ms bigint NOT NULL,
    words text NOT NULL,
    tags text NOT NULL
);


--
-- Name: results_link; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.results_link (
    game_id uuid NOT NULL,
    nonce bytea NOT NULL,
    hash bytea NOT NULL,
    created_at_ms bigint NOT NULL
);


--
-- Name: screen_pairing; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.screen_pairing (
    code text NOT NULL,
    hash bytea NOT NULL,
    expires_at_ms bigint NOT NULL,
    game_id uuid,
    screen_id uuid,
    added bigint DEFAULT 0 NOT NULL
);


--
-- Name: sign_in_attempt; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sign_in_attempt (
    state bytea NOT NULL,
    verifier bytea NOT NULL,
    nonce text NOT NULL,
    created_at_ms bigint NOT NULL
);


--
-- Name: webhook; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook (
    id uuid NOT NULL,
    host_id uuid NOT NULL,
    url text NOT NULL,
    secret bytea NOT NULL,
    round_released integer NOT NULL,
    game_ended integer NOT NULL,
    created_at_ms bigint NOT NULL,
    failing_since_ms bigint,
    disabled_at_ms bigint,
    served_at_ms bigint DEFAULT 0 NOT NULL
);


--
-- Name: webhook_delivery; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_delivery (
    id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    game_id uuid NOT NULL,
    event text NOT NULL,
    seq bigint NOT NULL,
    body text,
    created_at_ms bigint NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at_ms bigint NOT NULL,
    claimed_until_ms bigint DEFAULT 0 NOT NULL,
    answered integer,
    again_at_ms bigint
);


--
-- Name: webhook_old_key; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_old_key (
    webhook_id uuid NOT NULL,
    secret bytea NOT NULL,
    until_ms bigint NOT NULL
);


--
-- Name: webhook_past; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_past (
    id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    game_id uuid NOT NULL,
    event text NOT NULL,
    seq bigint NOT NULL,
    body text NOT NULL,
    created_at_ms bigint NOT NULL,
    attempts integer NOT NULL,
    answered integer NOT NULL,
    has_arrived integer NOT NULL,
    ended_at_ms bigint NOT NULL
);


--
-- Data for Name: _sqlx_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public._sqlx_migrations (version, description, installed_on, success, checksum, execution_time) FROM stdin;
1	base	2026-11-28 03:41:50.864262+00	t	\\xd4db18aac25651460b1f4c5db4567e6d530f0c0c20f4bbf113617801f190b3636b59e002c1cf9cb4869c196a50585264	225704321
\.


--
-- Data for Name: creation_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.creation_key (host_id, name, request, created, created_at_ms) FROM stdin;
\.


--
-- Data for Name: game; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.game (id, host_id, code, code_held, title, phase, closed, created_at_ms, ended_at_ms, active_at_ms, quiz_id, owner, follows, damaged, closed_at_ms, counted, invitations_ended_at_ms) FROM stdin;
01a2203e-b9f9-73c7-a78f-986debad2483	01a2203e-b986-7072-93e8-4a5a8427c9aa	6A4H9K	1	Golden	lobby	0	1764301311481	\N	1764301311481	01a2203e-b9f0-71e5-a780-13e143418b57	\N	\N	0	\N	0	\N
01a2203e-ba30-7053-baeb-cf7dc793c5f2	01a2203e-b986-7072-93e8-4a5a8427c9aa	QENQ4K	1	Golden	question	0	1764301311536	\N	1764301311536	01a2203e-b9f0-71e5-a780-13e143418b57	\N	\N	0	\N	0	\N
01a2203e-ba94-752a-b6fe-2d47cf73d74f	01a2203e-b986-7072-93e8-4a5a8427c9aa	SUS7UH	1	Golden	round_review	0	1764301311636	\N	1764301311636	01a2203e-b9f0-71e5-a780-13e143418b57	\N	\N	0	\N	0	\N
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	01a2203e-b986-7072-93e8-4a5a8427c9aa	6SSGFA	1	Golden	leaderboard	0	1764301311754	\N	1764301311754	01a2203e-b9f0-71e5-a780-13e143418b57	\N	\N	0	\N	0	\N
01a2203e-bb98-7141-9f7a-96505e652771	01a2203e-b986-7072-93e8-4a5a8427c9aa	K7EN3P	1	Golden	ended	0	1764301311896	1764301312056	1764301311896	01a2203e-b9f0-71e5-a780-13e143418b57	\N	\N	0	\N	0	\N
01a2203e-bc4b-70bc-a245-8160a5441a44	01a2203e-b986-7072-93e8-4a5a8427c9aa	5ZYHU3	1	Golden	leaderboard	1	1764301312075	1764301312224	1764301312075	01a2203e-b9f0-71e5-a780-13e143418b57	\N	\N	0	1795837312224	0	\N
\.


--
-- Data for Name: game_hold; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.game_hold (game_id, holder, held_at_ms, until_ms) FROM stdin;
\.


--
-- Data for Name: game_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.game_log (game_id, seq, n, epoch, batch, body, checksum) FROM stdin;
01a2203e-b9f9-73c7-a78f-986debad2483	0	1	0	968254291442837853	[{"c":{"t":"created","game":"01a2203e-b9f9-73c7-a78f-986debad2483","host":"01a2203e-b986-7072-93e8-4a5a8427c9aa","code":"6A4H9K","quiz":{"title":"Golden","rounds":[{"title":"First","questions":[{"id":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","text":"Which planet do we live on?","kind":"text","choices":[],"accepted":["Earth","The Earth"],"points":500,"tolerance":0.0},{"id":"01a2203e-b9f0-71e5-a780-13de9454517c","text":"How many legs has a spider?","kind":"numeric","choices":[],"accepted":["8"],"points":500,"tolerance":0.0}]},{"title":"Second","questions":[{"id":"01a2203e-b9f0-71e5-a780-13dfe104176f","text":"Which colour has the sky?","kind":"multiple_choice","choices":["red","blue","green"],"accepted":["blue"],"points":500,"tolerance":0.0},{"id":"01a2203e-b9f0-71e5-a780-13e00f63723f","text":"Who wrote Jane Eyre?","kind":"text","choices":[],"accepted":["Charlotte Brontë","Brontë"],"points":500,"tolerance":0.0}]}]},"join_secret":"c9a00b9dea2af4b209e1650c530620f6d9fcaa330b02c1a8f0129ecbc1d70d7a","created_at_ms":1795837311481,"rule":"second"}}]	1428765292
01a2203e-b9f9-73c7-a78f-986debad2483	1	1	1	3067701015683123556	[{"c":{"t":"claimed","e":1,"node":"01a2203e-b877-74f1-99f2-3c6b5b2fb7b1"}}]	421730494
01a2203e-b9f9-73c7-a78f-986debad2483	2	1	1	9153890034210683153	[{"c":{"t":"joined","p":"01a2203e-ba07-77de-bc58-f0f3a967cfc4","n":"Ann","k":"330e4b0f22a68ad7eca83fef222b03e7fbb990f44b7e9e5f3124dc4a6e4275e2"}}]	923993825
01a2203e-b9f9-73c7-a78f-986debad2483	3	1	1	4607717999545203192	[{"c":{"t":"joined","p":"01a2203e-ba1e-7536-9413-e7023233eed6","n":"Bob","k":"82cb1079579b1b884902a9159aa2d29deeaf0c19eb19056aa38100640a6cb071"}}]	3349454982
01a2203e-b9f9-73c7-a78f-986debad2483	4	1	1	8746256407982571923	[{"c":{"t":"joined","p":"01a2203e-ba28-71bf-bf7e-99a10c4f3df8","n":"Čeněk & Dóra","k":"ab75c26483e2b7ac6cde57fc61aefbfb5829c6b73b76c20e7795777b1fdc29d6"}}]	1493408026
01a2203e-ba30-7053-baeb-cf7dc793c5f2	0	1	0	5267669849970573055	[{"c":{"t":"created","game":"01a2203e-ba30-7053-baeb-cf7dc793c5f2","host":"01a2203e-b986-7072-93e8-4a5a8427c9aa","code":"QENQ4K","quiz":{"title":"Golden","rounds":[{"title":"First","questions":[{"id":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","text":"Which planet do we live on?","kind":"text","choices":[],"accepted":["Earth","The Earth"],"points":500,"tolerance":0.0},{"id":"01a2203e-b9f0-71e5-a780-13de9454517c","text":"How many legs has a spider?","kind":"numeric","choices":[],"accepted":["8"],"points":500,"tolerance":0.0}]},{"title":"Second","questions":[{"id":"01a2203e-b9f0-71e5-a780-13dfe104176f","text":"Which colour has the sky?","kind":"multiple_choice","choices":["red","blue","green"],"accepted":["blue"],"points":500,"tolerance":0.0},{"id":"01a2203e-b9f0-71e5-a780-13e00f63723f","text":"Who wrote Jane Eyre?","kind":"text","choices":[],"accepted":["Charlotte Brontë","Brontë"],"points":500,"tolerance":0.0}]}]},"join_secret":"765b2e8bbf7acf37fe0b9564be6698af9ae1e764ec15148f1f8a611e32c1072a","created_at_ms":1795837311536,"rule":"second"}}]	940513286
01a2203e-ba30-7053-baeb-cf7dc793c5f2	1	1	1	-8109894000722444717	[{"c":{"t":"claimed","e":1,"node":"01a2203e-b877-74f1-99f2-3c6b5b2fb7b1"}}]	1331437934
01a2203e-ba30-7053-baeb-cf7dc793c5f2	2	1	1	-201838654945419459	[{"c":{"t":"joined","p":"01a2203e-ba38-777d-a46b-418a43bd0c3f","n":"Ann","k":"5f24516e5149c41d99f3aa327dc6c048fcf42c9e213a5482335ee784438facfe"}}]	3254319858
01a2203e-ba30-7053-baeb-cf7dc793c5f2	3	1	1	2965056915914751489	[{"c":{"t":"joined","p":"01a2203e-ba4a-727c-b56a-64462fe3fc3c","n":"Bob","k":"1496c2376ed945a903a51871452b093b359e0d37a32b845c65b04e3b6cf88946"}}]	3068287080
01a2203e-ba30-7053-baeb-cf7dc793c5f2	4	1	1	-5855591973774448162	[{"c":{"t":"joined","p":"01a2203e-ba4f-7622-8512-71e67c0d9b7f","n":"Čeněk & Dóra","k":"c133c1cad5025240a9af9be594353ae243019a036a64532beb2179bb8226b018"}}]	4123165436
01a2203e-ba30-7053-baeb-cf7dc793c5f2	5	1	1	-4143711922583961760	[{"c":{"t":"host_returned"}}]	2190058836
01a2203e-ba30-7053-baeb-cf7dc793c5f2	6	1	1	1461782247956519125	[{"c":{"t":"started"},"s":[4294967297,1]}]	1011930879
01a2203e-ba30-7053-baeb-cf7dc793c5f2	7	1	1	-6739574404950754666	[{"c":{"t":"question_released","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511"},"s":[4294967297,2]}]	1528728797
01a2203e-ba30-7053-baeb-cf7dc793c5f2	8	1	1	-7772996477336765590	[{"c":{"t":"answered","p":"01a2203e-ba38-777d-a46b-418a43bd0c3f","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","a":"earth","ok":true},"s":[4294967298,1]}]	2707720919
01a2203e-ba30-7053-baeb-cf7dc793c5f2	9	1	1	792548902112615353	[{"c":{"t":"answered","p":"01a2203e-ba4a-727c-b56a-64462fe3fc3c","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","a":"the globe"},"s":[4294967299,1]}]	220474426
01a2203e-ba94-752a-b6fe-2d47cf73d74f	0	1	0	-1744079018932782833	[{"c":{"t":"created","game":"01a2203e-ba94-752a-b6fe-2d47cf73d74f","host":"01a2203e-b986-7072-93e8-4a5a8427c9aa","code":"SUS7UH","quiz":{"title":"Golden","rounds":[{"title":"First","questions":[{"id":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","text":"Which planet do we live on?","kind":"text","choices":[],"accepted":["Earth","The Earth"],"points":500,"tolerance":0.0},{"id":"01a2203e-b9f0-71e5-a780-13de9454517c","text":"How many legs has a spider?","kind":"numeric","choices":[],"accepted":["8"],"points":500,"tolerance":0.0}]},{"title":"Second","questions":[{"id":"01a2203e-b9f0-71e5-a780-13dfe104176f","text":"Which colour has the sky?","kind":"multiple_choice","choices":["red","blue","green"],"accepted":["blue"],"points":500,"tolerance":0.0},{"id":"01a2203e-b9f0-71e5-a780-13e00f63723f","text":"Who wrote Jane Eyre?","kind":"text","choices":[],"accepted":["Charlotte Brontë","Brontë"],"points":500,"tolerance":0.0}]}]},"join_secret":"01c1319a5ca21d00ee61584272dcd75c4727d792afe34abd3638fd4a57490539","created_at_ms":1795837311636,"rule":"second"}}]	145694735
01a2203e-ba94-752a-b6fe-2d47cf73d74f	1	1	1	-4860609091216733394	[{"c":{"t":"claimed","e":1,"node":"01a2203e-b877-74f1-99f2-3c6b5b2fb7b1"}}]	2412927692
01a2203e-ba94-752a-b6fe-2d47cf73d74f	2	1	1	6378278121244394909	[{"c":{"t":"joined","p":"01a2203e-ba9e-70fa-bf21-d8e828f2db93","n":"Ann","k":"ce2db6bb9f575b83c1acafc3ef54d12c8aa65ce1ff31d91028dec439c74c29fc"}}]	3058898823
01a2203e-ba94-752a-b6fe-2d47cf73d74f	3	1	1	-1141483103062853387	[{"c":{"t":"joined","p":"01a2203e-baaa-755a-aa14-98da1878939e","n":"Bob","k":"f1b56f8675372899727ac370a597b048fbd835533d6e5455ef02f3137e8c5e16"}}]	2584380880
01a2203e-ba94-752a-b6fe-2d47cf73d74f	4	1	1	-8306045116666156786	[{"c":{"t":"joined","p":"01a2203e-bab2-7679-8040-eaa2806a6c93","n":"Čeněk & Dóra","k":"12fedce5039bd57a64dd4e835ea02b117af956d57c432018d0969c45263401d8"}}]	4060884090
01a2203e-ba94-752a-b6fe-2d47cf73d74f	5	1	1	661953257747457902	[{"c":{"t":"host_returned"}}]	4237351447
01a2203e-ba94-752a-b6fe-2d47cf73d74f	6	1	1	-7063813213249271282	[{"c":{"t":"started"},"s":[4294967297,1]}]	3548664860
01a2203e-ba94-752a-b6fe-2d47cf73d74f	7	1	1	4755796932067495395	[{"c":{"t":"question_released","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511"},"s":[4294967297,2]}]	2186914079
01a2203e-ba94-752a-b6fe-2d47cf73d74f	8	1	1	5302657225802476954	[{"c":{"t":"answered","p":"01a2203e-ba9e-70fa-bf21-d8e828f2db93","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","a":"earth","ok":true},"s":[4294967298,1]}]	1239010361
01a2203e-ba94-752a-b6fe-2d47cf73d74f	9	1	1	5641737325651234317	[{"c":{"t":"answered","p":"01a2203e-baaa-755a-aa14-98da1878939e","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","a":"the globe"},"s":[4294967299,1]}]	4263186568
01a2203e-ba94-752a-b6fe-2d47cf73d74f	10	1	1	-4061914584732651191	[{"c":{"t":"answered","p":"01a2203e-bab2-7679-8040-eaa2806a6c93","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","a":"Mars"},"s":[4294967300,1]}]	3142531450
01a2203e-ba94-752a-b6fe-2d47cf73d74f	11	1	1	-5760616178413849291	[{"c":{"t":"question_released","q":"01a2203e-b9f0-71e5-a780-13de9454517c"},"s":[4294967297,3]}]	2378489418
01a2203e-ba94-752a-b6fe-2d47cf73d74f	12	1	1	-7688081163085510054	[{"c":{"t":"answered","p":"01a2203e-ba9e-70fa-bf21-d8e828f2db93","q":"01a2203e-b9f0-71e5-a780-13de9454517c","a":"8","ok":true},"s":[4294967298,2]}]	2282009497
01a2203e-ba94-752a-b6fe-2d47cf73d74f	13	1	1	-4027529294566963867	[{"c":{"t":"answered","p":"01a2203e-baaa-755a-aa14-98da1878939e","q":"01a2203e-b9f0-71e5-a780-13de9454517c","a":"08","ok":true},"s":[4294967299,2]}]	4155512163
01a2203e-ba94-752a-b6fe-2d47cf73d74f	14	1	1	1892846686185555775	[{"c":{"t":"answered","p":"01a2203e-bab2-7679-8040-eaa2806a6c93","q":"01a2203e-b9f0-71e5-a780-13de9454517c","a":"9"},"s":[4294967300,2]}]	4042644455
01a2203e-ba94-752a-b6fe-2d47cf73d74f	15	1	1	1559209996694250399	[{"c":{"t":"round_ended"},"s":[4294967297,4]}]	4106060682
01a2203e-ba94-752a-b6fe-2d47cf73d74f	16	1	1	-1778188943295945756	[{"c":{"t":"answer_overridden","p":"01a2203e-baaa-755a-aa14-98da1878939e","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","ok":true},"s":[4294967297,5]}]	3599854719
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	1	1	1	5457287490383698927	[{"c":{"t":"claimed","e":1,"node":"01a2203e-b877-74f1-99f2-3c6b5b2fb7b1"}}]	1024416909
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	2	1	1	-6076678500774549226	[{"c":{"t":"joined","p":"01a2203e-bb13-717f-8f8c-3fa21e2f8fdb","n":"Ann","k":"046b974fb0113bc7e437cb7bc09d1047a0c798625a6de32b69d160c141d5ed9f"}}]	1017393208
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	3	1	1	5267606666570480061	[{"c":{"t":"joined","p":"01a2203e-bb1d-736f-94a4-e9b8ba4a8424","n":"Bob","k":"2454eaa78a403eb2e6224018115dba852cb1722c4a898eb318e33328f0b06fa3"}}]	4134866251
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	4	1	1	4698643087266057513	[{"c":{"t":"joined","p":"01a2203e-bb21-7470-bf09-87a5842a127d","n":"Čeněk & Dóra","k":"c4c02d97c63651c0ae918ecc6efddc3b2d67242b63a6312a60fd30722d875167"}}]	3585789296
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	5	1	1	1220209664028586212	[{"c":{"t":"host_returned"}}]	3727125352
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	6	1	1	840714784952007916	[{"c":{"t":"started"},"s":[4294967297,1]}]	1303667863
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	7	1	1	8540011491229150383	[{"c":{"t":"question_released","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511"},"s":[4294967297,2]}]	1164115916
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	8	1	1	-7710285533190956569	[{"c":{"t":"answered","p":"01a2203e-bb13-717f-8f8c-3fa21e2f8fdb","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","a":"earth","ok":true},"s":[4294967298,1]}]	3802857498
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	9	1	1	-1116813785773488389	[{"c":{"t":"answered","p":"01a2203e-bb1d-736f-94a4-e9b8ba4a8424","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","a":"the globe"},"s":[4294967299,1]}]	1814167660
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	10	1	1	8293028527420087696	[{"c":{"t":"answered","p":"01a2203e-bb21-7470-bf09-87a5842a127d","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","a":"Mars"},"s":[4294967300,1]}]	4147418470
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	11	1	1	8388916556340340914	[{"c":{"t":"question_released","q":"01a2203e-b9f0-71e5-a780-13de9454517c"},"s":[4294967297,3]}]	331018997
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	12	1	1	-5662223293954126440	[{"c":{"t":"answered","p":"01a2203e-bb13-717f-8f8c-3fa21e2f8fdb","q":"01a2203e-b9f0-71e5-a780-13de9454517c","a":"8","ok":true},"s":[4294967298,2]}]	805206368
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	13	1	1	1057531419789809719	[{"c":{"t":"answered","p":"01a2203e-bb1d-736f-94a4-e9b8ba4a8424","q":"01a2203e-b9f0-71e5-a780-13de9454517c","a":"08","ok":true},"s":[4294967299,2]}]	1495460640
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	14	1	1	-3594210502541997354	[{"c":{"t":"answered","p":"01a2203e-bb21-7470-bf09-87a5842a127d","q":"01a2203e-b9f0-71e5-a780-13de9454517c","a":"9"},"s":[4294967300,2]}]	3634134499
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	15	1	1	1796249293403972053	[{"c":{"t":"round_ended"},"s":[4294967297,4]}]	3114187268
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	16	1	1	232295993174619423	[{"c":{"t":"answer_overridden","p":"01a2203e-bb1d-736f-94a4-e9b8ba4a8424","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","ok":true},"s":[4294967297,5]}]	3617898262
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	17	1	1	1374416559172169341	[{"c":{"t":"scores_released"},"s":[4294967297,6]}]	1913381807
01a2203e-bb98-7141-9f7a-96505e652771	1	1	1	994880218803750303	[{"c":{"t":"claimed","e":1,"node":"01a2203e-b877-74f1-99f2-3c6b5b2fb7b1"}}]	1254197730
01a2203e-bb98-7141-9f7a-96505e652771	2	1	1	6732772716381584515	[{"c":{"t":"joined","p":"01a2203e-bba1-70fe-b5c2-2e47ffe1291d","n":"Ann","k":"0dc0670fba32ec6da1edaa181167662b7ebce9a9376ae57c622aaf68a603e277"}}]	2723906983
01a2203e-bb98-7141-9f7a-96505e652771	3	1	1	4679871688863587343	[{"c":{"t":"joined","p":"01a2203e-bbab-70dd-b494-33a1ae94574e","n":"Bob","k":"f0e9e7200774a4bc8b9f9df772b31b0d6e522ca384c03da2889737a60db0e47d"}}]	4221222792
01a2203e-bb98-7141-9f7a-96505e652771	4	1	1	-1473807438255122174	[{"c":{"t":"joined","p":"01a2203e-bbb2-72a8-9f0f-cc5b1730eec6","n":"Čeněk & Dóra","k":"89ae10061af0351714d79edbad8e6852f71165b7a8e1960485a77101e52e7c36"}}]	2929584021
01a2203e-bb98-7141-9f7a-96505e652771	5	1	1	2649471090316218515	[{"c":{"t":"host_returned"}}]	1416717585
01a2203e-bb98-7141-9f7a-96505e652771	6	1	1	-1470898071593158857	[{"c":{"t":"started"},"s":[4294967297,1]}]	210829349
01a2203e-bb98-7141-9f7a-96505e652771	7	1	1	2698479680659476069	[{"c":{"t":"question_released","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511"},"s":[4294967297,2]}]	2769520890
01a2203e-bb98-7141-9f7a-96505e652771	8	1	1	204442858601967656	[{"c":{"t":"answered","p":"01a2203e-bba1-70fe-b5c2-2e47ffe1291d","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","a":"earth","ok":true},"s":[4294967298,1]}]	1525604676
01a2203e-bb98-7141-9f7a-96505e652771	9	1	1	-9159748828843671813	[{"c":{"t":"answered","p":"01a2203e-bbab-70dd-b494-33a1ae94574e","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","a":"the globe"},"s":[4294967299,1]}]	2681994800
01a2203e-bb98-7141-9f7a-96505e652771	10	1	1	5671445894298185486	[{"c":{"t":"answered","p":"01a2203e-bbb2-72a8-9f0f-cc5b1730eec6","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","a":"Mars"},"s":[4294967300,1]}]	1295156051
01a2203e-bb98-7141-9f7a-96505e652771	11	1	1	-6213376067750970405	[{"c":{"t":"question_released","q":"01a2203e-b9f0-71e5-a780-13de9454517c"},"s":[4294967297,3]}]	3929054910
01a2203e-bb98-7141-9f7a-96505e652771	12	1	1	-3616885915099982802	[{"c":{"t":"answered","p":"01a2203e-bba1-70fe-b5c2-2e47ffe1291d","q":"01a2203e-b9f0-71e5-a780-13de9454517c","a":"8","ok":true},"s":[4294967298,2]}]	3560185200
01a2203e-bb98-7141-9f7a-96505e652771	13	1	1	6715212068257489377	[{"c":{"t":"answered","p":"01a2203e-bbab-70dd-b494-33a1ae94574e","q":"01a2203e-b9f0-71e5-a780-13de9454517c","a":"08","ok":true},"s":[4294967299,2]}]	3107716265
01a2203e-bb98-7141-9f7a-96505e652771	14	1	1	9060853539763517366	[{"c":{"t":"answered","p":"01a2203e-bbb2-72a8-9f0f-cc5b1730eec6","q":"01a2203e-b9f0-71e5-a780-13de9454517c","a":"9"},"s":[4294967300,2]}]	1740988421
01a2203e-bb98-7141-9f7a-96505e652771	15	1	1	8651756199595853237	[{"c":{"t":"round_ended"},"s":[4294967297,4]}]	1850574550
01a2203e-bb98-7141-9f7a-96505e652771	16	1	1	8228709297605503028	[{"c":{"t":"answer_overridden","p":"01a2203e-bbab-70dd-b494-33a1ae94574e","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","ok":true},"s":[4294967297,5]}]	2812789906
01a2203e-bb98-7141-9f7a-96505e652771	17	1	1	-8592215860054592887	[{"c":{"t":"scores_released"},"s":[4294967297,6]}]	759489046
01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb	0	1	0	7466730739684233082	[{"c":{"t":"created","game":"01a2203e-bb0a-74f0-9fe0-91ba98e3e3cb","host":"01a2203e-b986-7072-93e8-4a5a8427c9aa","code":"6SSGFA","quiz":{"title":"Golden","rounds":[{"title":"First","questions":[{"id":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","text":"Which planet do we live on?","kind":"text","choices":[],"accepted":["Earth","The Earth"],"points":500,"tolerance":0.0},{"id":"01a2203e-b9f0-71e5-a780-13de9454517c","text":"How many legs has a spider?","kind":"numeric","choices":[],"accepted":["8"],"points":500,"tolerance":0.0}]},{"title":"Second","questions":[{"id":"01a2203e-b9f0-71e5-a780-13dfe104176f","text":"Which colour has the sky?","kind":"multiple_choice","choices":["red","blue","green"],"accepted":["blue"],"points":500,"tolerance":0.0},{"id":"01a2203e-b9f0-71e5-a780-13e00f63723f","text":"Who wrote Jane Eyre?","kind":"text","choices":[],"accepted":["Charlotte Brontë","Brontë"],"points":500,"tolerance":0.0}]}]},"join_secret":"79ae850636abe51587706fb17a15b9261624c3d448261715134ccb2cc89d5025","created_at_ms":1795837311754,"rule":"second"}}]	344334478
01a2203e-bb98-7141-9f7a-96505e652771	0	1	0	-6113328049114171590	[{"c":{"t":"created","game":"01a2203e-bb98-7141-9f7a-96505e652771","host":"01a2203e-b986-7072-93e8-4a5a8427c9aa","code":"K7EN3P","quiz":{"title":"Golden","rounds":[{"title":"First","questions":[{"id":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","text":"Which planet do we live on?","kind":"text","choices":[],"accepted":["Earth","The Earth"],"points":500,"tolerance":0.0},{"id":"01a2203e-b9f0-71e5-a780-13de9454517c","text":"How many legs has a spider?","kind":"numeric","choices":[],"accepted":["8"],"points":500,"tolerance":0.0}]},{"title":"Second","questions":[{"id":"01a2203e-b9f0-71e5-a780-13dfe104176f","text":"Which colour has the sky?","kind":"multiple_choice","choices":["red","blue","green"],"accepted":["blue"],"points":500,"tolerance":0.0},{"id":"01a2203e-b9f0-71e5-a780-13e00f63723f","text":"Who wrote Jane Eyre?","kind":"text","choices":[],"accepted":["Charlotte Brontë","Brontë"],"points":500,"tolerance":0.0}]}]},"join_secret":"3c1c7dfe9bca5c71256b1a591ee6fc89a850b03ee099792e1e97faac8a40cb37","created_at_ms":1795837311896,"rule":"second"}}]	3448671115
01a2203e-bc4b-70bc-a245-8160a5441a44	0	1	0	-8414896042117689373	[{"c":{"t":"created","game":"01a2203e-bc4b-70bc-a245-8160a5441a44","host":"01a2203e-b986-7072-93e8-4a5a8427c9aa","code":"5ZYHU3","quiz":{"title":"Golden","rounds":[{"title":"First","questions":[{"id":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","text":"Which planet do we live on?","kind":"text","choices":[],"accepted":["Earth","The Earth"],"points":500,"tolerance":0.0},{"id":"01a2203e-b9f0-71e5-a780-13de9454517c","text":"How many legs has a spider?","kind":"numeric","choices":[],"accepted":["8"],"points":500,"tolerance":0.0}]},{"title":"Second","questions":[{"id":"01a2203e-b9f0-71e5-a780-13dfe104176f","text":"Which colour has the sky?","kind":"multiple_choice","choices":["red","blue","green"],"accepted":["blue"],"points":500,"tolerance":0.0},{"id":"01a2203e-b9f0-71e5-a780-13e00f63723f","text":"Who wrote Jane Eyre?","kind":"text","choices":[],"accepted":["Charlotte Brontë","Brontë"],"points":500,"tolerance":0.0}]}]},"join_secret":"7809ccee5c10e9c51e7973fb791e48a7cf5ef44fd2ea41b90e1781822ce0ef61","created_at_ms":1795837312075,"rule":"second"}}]	736265874
01a2203e-bb98-7141-9f7a-96505e652771	18	1	1	-1291011353829692353	[{"c":{"t":"next_round_started"},"s":[4294967297,7]}]	1522829012
01a2203e-bb98-7141-9f7a-96505e652771	19	1	1	-679293461642009054	[{"c":{"t":"question_released","q":"01a2203e-b9f0-71e5-a780-13dfe104176f"},"s":[4294967297,8]}]	863144415
01a2203e-bb98-7141-9f7a-96505e652771	20	1	1	-2137477638932378900	[{"c":{"t":"answered","p":"01a2203e-bba1-70fe-b5c2-2e47ffe1291d","q":"01a2203e-b9f0-71e5-a780-13dfe104176f","a":"blue","ok":true},"s":[4294967298,3]}]	307269123
01a2203e-bb98-7141-9f7a-96505e652771	21	1	1	-5982371258569057032	[{"c":{"t":"answered","p":"01a2203e-bbb2-72a8-9f0f-cc5b1730eec6","q":"01a2203e-b9f0-71e5-a780-13dfe104176f","a":"red"},"s":[4294967300,3]}]	2774750185
01a2203e-bb98-7141-9f7a-96505e652771	22	1	1	4341386251180535821	[{"c":{"t":"question_released","q":"01a2203e-b9f0-71e5-a780-13e00f63723f"},"s":[4294967297,9]}]	1632959469
01a2203e-bb98-7141-9f7a-96505e652771	23	1	1	-347693663472353567	[{"c":{"t":"answered","p":"01a2203e-bba1-70fe-b5c2-2e47ffe1291d","q":"01a2203e-b9f0-71e5-a780-13e00f63723f","a":"Brontë","ok":true},"s":[4294967298,4]}]	2528992761
01a2203e-bb98-7141-9f7a-96505e652771	24	1	1	3059620287953361356	[{"c":{"t":"answered","p":"01a2203e-bbab-70dd-b494-33a1ae94574e","q":"01a2203e-b9f0-71e5-a780-13e00f63723f","a":"bronte","ok":true},"s":[4294967299,3]}]	1466943196
01a2203e-bb98-7141-9f7a-96505e652771	25	1	1	77470938425044528	[{"c":{"t":"answered","p":"01a2203e-bbb2-72a8-9f0f-cc5b1730eec6","q":"01a2203e-b9f0-71e5-a780-13e00f63723f","a":"Austen"},"s":[4294967300,4]}]	761151437
01a2203e-bb98-7141-9f7a-96505e652771	26	1	1	7823716118448908187	[{"c":{"t":"round_ended"},"s":[4294967297,10]}]	110721755
01a2203e-bb98-7141-9f7a-96505e652771	27	1	1	6805181120003473785	[{"c":{"t":"scores_released"},"s":[4294967297,11]}]	1820994049
01a2203e-bb98-7141-9f7a-96505e652771	28	1	1	-8911213048635152258	[{"c":{"t":"ended"},"s":[4294967297,12]}]	817075819
01a2203e-bc4b-70bc-a245-8160a5441a44	1	1	1	1089657597404670694	[{"c":{"t":"claimed","e":1,"node":"01a2203e-b877-74f1-99f2-3c6b5b2fb7b1"}}]	3831114784
01a2203e-bc4b-70bc-a245-8160a5441a44	2	1	1	8574706372877872847	[{"c":{"t":"joined","p":"01a2203e-bc58-73c8-95a9-4fcff42618e8","n":"Ann","k":"250ce1a89e0683ff3afcd806431aa53b73321c8135538ed53e89b0bd6290af2b"}}]	3800345946
01a2203e-bc4b-70bc-a245-8160a5441a44	3	1	1	-2270332927781782078	[{"c":{"t":"joined","p":"01a2203e-bc62-77e0-81d4-7fe41cd5937d","n":"Bob","k":"68d3c1ec36244ca485cfbedaf745b32c5b89572a06817ce9fd42ce5c944629dd"}}]	1747912350
01a2203e-bc4b-70bc-a245-8160a5441a44	4	1	1	-1666271480106775549	[{"c":{"t":"joined","p":"01a2203e-bc66-7738-ba5c-c13ca278efeb","n":"Čeněk & Dóra","k":"a9cb15748a7b497d0a781b6a029746b1fdeead98c4c07244e8a7e374d4a0b1a6"}}]	2833636882
01a2203e-bc4b-70bc-a245-8160a5441a44	5	1	1	398083680768573198	[{"c":{"t":"host_returned"}}]	1718036050
01a2203e-bc4b-70bc-a245-8160a5441a44	6	1	1	-4495364202862645594	[{"c":{"t":"started"},"s":[4294967297,1]}]	3151840603
01a2203e-bc4b-70bc-a245-8160a5441a44	7	1	1	5530615408171345683	[{"c":{"t":"question_released","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511"},"s":[4294967297,2]}]	2269935874
01a2203e-bc4b-70bc-a245-8160a5441a44	8	1	1	3414385668179939252	[{"c":{"t":"answered","p":"01a2203e-bc58-73c8-95a9-4fcff42618e8","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","a":"earth","ok":true},"s":[4294967298,1]}]	586753804
01a2203e-bc4b-70bc-a245-8160a5441a44	9	1	1	1719442297978022565	[{"c":{"t":"answered","p":"01a2203e-bc62-77e0-81d4-7fe41cd5937d","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","a":"the globe"},"s":[4294967299,1]}]	418131946
01a2203e-bc4b-70bc-a245-8160a5441a44	10	1	1	6930518798163291999	[{"c":{"t":"answered","p":"01a2203e-bc66-7738-ba5c-c13ca278efeb","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","a":"Mars"},"s":[4294967300,1]}]	1092518245
01a2203e-bc4b-70bc-a245-8160a5441a44	11	1	1	752856434144461377	[{"c":{"t":"question_released","q":"01a2203e-b9f0-71e5-a780-13de9454517c"},"s":[4294967297,3]}]	1953675315
01a2203e-bc4b-70bc-a245-8160a5441a44	12	1	1	-262981004362447894	[{"c":{"t":"answered","p":"01a2203e-bc58-73c8-95a9-4fcff42618e8","q":"01a2203e-b9f0-71e5-a780-13de9454517c","a":"8","ok":true},"s":[4294967298,2]}]	651887321
01a2203e-bc4b-70bc-a245-8160a5441a44	13	1	1	3134266475501199531	[{"c":{"t":"answered","p":"01a2203e-bc62-77e0-81d4-7fe41cd5937d","q":"01a2203e-b9f0-71e5-a780-13de9454517c","a":"08","ok":true},"s":[4294967299,2]}]	88893030
01a2203e-bc4b-70bc-a245-8160a5441a44	14	1	1	1149223329275271026	[{"c":{"t":"answered","p":"01a2203e-bc66-7738-ba5c-c13ca278efeb","q":"01a2203e-b9f0-71e5-a780-13de9454517c","a":"9"},"s":[4294967300,2]}]	2584997395
01a2203e-bc4b-70bc-a245-8160a5441a44	15	1	1	-6936725444504106616	[{"c":{"t":"round_ended"},"s":[4294967297,4]}]	1948258455
01a2203e-bc4b-70bc-a245-8160a5441a44	16	1	1	6180568293390397282	[{"c":{"t":"answer_overridden","p":"01a2203e-bc62-77e0-81d4-7fe41cd5937d","q":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","ok":true},"s":[4294967297,5]}]	2101935814
01a2203e-bc4b-70bc-a245-8160a5441a44	17	1	1	-2341513277873307497	[{"c":{"t":"scores_released"},"s":[4294967297,6]}]	2737985319
01a2203e-bc4b-70bc-a245-8160a5441a44	18	1	1	-2923328224403838794	[{"c":{"t":"closed"}}]	1212022685
\.


--
-- Data for Name: game_media; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.game_media (game_id, media_id) FROM stdin;
\.


--
-- Data for Name: game_snapshot; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.game_snapshot (game_id, name, part, seq, batch, next_seq, format, parts, checksum, body) FROM stdin;
\.


--
-- Data for Name: host; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.host (id, name, name_key, password_hash, created_at_ms, disabled_at_ms, is_owner) FROM stdin;
01a2203e-b938-74a5-9136-e4a04c9138a3	script	script	\N	1795837311288	\N	0
01a2203e-b986-7072-93e8-4a5a8427c9aa	golden	golden	$argon2id$v=19$m=19456,t=2,p=1$7Et9Hx4VBMcYbVaYrkt0ig$yaWm03qdKlOdsljXKkilOsEaJb9EXr4Dtj6rwprk6OQ	1795837311366	\N	1
\.


--
-- Data for Name: host_identity; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.host_identity (issuer, subject, host_id, created_at_ms) FROM stdin;
\.


--
-- Data for Name: host_token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.host_token (hash, host_id, created_at_ms, expires_at_ms, id, name, scopes, last_used_at_ms) FROM stdin;
\\xb63dc73a09e1d56be29ee870644afe09a4a325b299e3df4393708f3952bc546c	01a2203e-b986-7072-93e8-4a5a8427c9aa	1795837311459	1795880511459	\N	\N	\N	\N
\.


--
-- Data for Name: media; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.media (id, host_id, type, bytes, sha256, created_at_ms, unused_at_ms, width, height) FROM stdin;
\.


--
-- Data for Name: media_part; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.media_part (media_id, part, body) FROM stdin;
\.


--
-- Data for Name: node; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.node (id, name, version, entered_at_ms, seen_at_ms, beat, games, sockets, bus_lag_us, draining, log_version) FROM stdin;
\.


--
-- Data for Name: probe; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.probe (id, count, at_ms) FROM stdin;
1	1	1795837311238
\.


--
-- Data for Name: question_asked; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.question_asked (host_id, question_id, game_id, players, answered, correct) FROM stdin;
\.


--
-- Data for Name: question_search; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.question_search (host_id, quiz_id, place, question_id, words, tags, body) FROM stdin;
\.


--
-- Data for Name: quiz; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.quiz (id, host_id, title, round_count, question_count, body, created_at_ms, updated_at_ms, tags) FROM stdin;
01a2203e-b938-74a5-9136-e4a146eea526	01a2203e-b938-74a5-9136-e4a04c9138a3	Quizhall sample: an evening of thirty questions	3	30	{"title":"Quizhall sample: an evening of thirty questions","rounds":[{"title":"Warming up","questions":[{"id":"01a2203e-b938-74a5-9136-e4a22629f1e6","text":"A day on this planet takes only about ten hours. Which one is it?","type":"multiple_choice","choices":["Mercury","Earth","Jupiter","Neptune"],"correctAnswers":["Jupiter"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4a309d4422d","text":"True or false: the tall stem of a banana plant is made of wood.","type":"true_false","choices":["True","False"],"correctAnswers":["False"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4a409f0869d","text":"How many keys, black and white together, does a full-size modern piano usually have?","type":"numeric","correctAnswers":["88"],"points":1000,"tolerance":0.0},{"id":"01a2203e-b938-74a5-9136-e4a5e464ce66","text":"Which gas do green plants take from the air to make sugar with the help of sunlight?","type":"text","correctAnswers":["Carbon dioxide","CO2","Carbon dioxide gas"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4a6a1b32a6b","text":"Which of these brass instruments is normally played with a slide?","type":"multiple_choice","choices":["Trumpet","Trombone","French horn","Tuba"],"correctAnswers":["Trombone"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4a78946114a","text":"True or false: the skeleton of a shark is made of cartilage, not of bone.","type":"true_false","choices":["True","False"],"correctAnswers":["True"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4a878021a02","text":"At midnight, what does Cinderella's coach turn back into?","type":"text","correctAnswers":["A pumpkin","Pumpkin","The pumpkin"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4a9ddbb11f1","text":"Add up the three angles of any triangle on a flat sheet of paper. How many degrees do you get?","type":"numeric","correctAnswers":["180"],"points":1000,"tolerance":0.0},{"id":"01a2203e-b938-74a5-9136-e4aad2a84967","text":"Which of these words reads the same from right to left?","type":"multiple_choice","choices":["Garden","Paper","Window","Level"],"correctAnswers":["Level"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4ab3db30cd0","text":"For two thousand points: blue paint and yellow paint, well stirred. Which colour is in the pot?","type":"text","correctAnswers":["Green","A green","Green paint"],"points":2000}]},{"title":"Around the world","questions":[{"id":"01a2203e-b938-74a5-9136-e4acc1a41085","text":"What is the capital of Australia?","type":"text","correctAnswers":["Canberra"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4ad026b4d7d","text":"Which ocean lies between Africa and Australia?","type":"multiple_choice","choices":["Atlantic Ocean","Arctic Ocean","Indian Ocean","Pacific Ocean"],"correctAnswers":["Indian Ocean"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4aeaa498969","text":"How high is Mount Everest above the sea, in metres? Fifty metres off is fine.","type":"numeric","correctAnswers":["8849"],"points":1000,"tolerance":50.0},{"id":"01a2203e-b938-74a5-9136-e4af5846d2b0","text":"True or false: the Sahara covers more ground than the whole of Australia.","type":"true_false","choices":["True","False"],"correctAnswers":["True"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4b0eae064f5","text":"Which river passes through Vienna, Bratislava, Budapest and Belgrade?","type":"text","correctAnswers":["Danube","The Danube","River Danube","The River Danube","Danube River","Donau","Dunaj","Duna","Dunav"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4b10d79a090","text":"Which of these dishes comes from Japan?","type":"multiple_choice","choices":["Okonomiyaki","Paella","Goulash","Tabbouleh"],"correctAnswers":["Okonomiyaki"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4b2d45d6740","text":"True or false: Reykjavík, the capital of Iceland, lies north of the Arctic Circle.","type":"true_false","choices":["True","False"],"correctAnswers":["False"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4b3f4ff4b32","text":"How many stars are on the flag of the European Union?","type":"numeric","correctAnswers":["12"],"points":1000,"tolerance":0.0},{"id":"01a2203e-b938-74a5-9136-e4b45b9c7c59","text":"In which country do the walls of Machu Picchu stand?","type":"text","correctAnswers":["Peru","Perú","In Peru"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4b58eaf7d7b","text":"For two thousand points: which strait do you cross on the short way from Spain to Morocco?","type":"multiple_choice","choices":["The Bosporus","The Strait of Gibraltar","The Bering Strait","The Strait of Hormuz"],"correctAnswers":["The Strait of Gibraltar"],"points":2000}]},{"title":"A bit of everything","questions":[{"id":"01a2203e-b938-74a5-9136-e4b6935eadd7","text":"Who painted the Mona Lisa?","type":"text","correctAnswers":["Leonardo da Vinci","Leonardo","Da Vinci","Vinci"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4b705b42f4f","text":"How many kilometres does light travel in one second through empty space? A thousand off is fine.","type":"numeric","correctAnswers":["299792"],"points":1000,"tolerance":1000.0},{"id":"01a2203e-b938-74a5-9136-e4b8e4792c4d","text":"Only one of these numbers is a prime. Which?","type":"multiple_choice","choices":["51","57","59","63"],"correctAnswers":["59"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4b97ca28935","text":"True or false: an octopus has three hearts.","type":"true_false","choices":["True","False"],"correctAnswers":["True"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4ba2d16dbe2","text":"Chemists write it Au. What is it called in everyday words?","type":"text","correctAnswers":["Gold","Aurum"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4bbd884b4d9","text":"How many bones does a grown-up usually have? Two more or fewer is fine.","type":"numeric","correctAnswers":["206"],"points":1000,"tolerance":2.0},{"id":"01a2203e-b938-74a5-9136-e4bc8f406ef1","text":"Who composed the opera The Magic Flute?","type":"multiple_choice","choices":["Giuseppe Verdi","Georges Bizet","Richard Wagner","Wolfgang Amadeus Mozart"],"correctAnswers":["Wolfgang Amadeus Mozart"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4bd73adfbc6","text":"True or false: in chess, the queen may jump over other pieces.","type":"true_false","choices":["True","False"],"correctAnswers":["False"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4be6f003757","text":"Who wrote the novel Frankenstein?","type":"text","correctAnswers":["Mary Shelley","Shelley","Mary Wollstonecraft Shelley","Mary W. Shelley"],"points":1000},{"id":"01a2203e-b938-74a5-9136-e4bf93e0cd68","text":"For two thousand points: how long is a marathon, in kilometres? Half a kilometre off is fine.","type":"numeric","correctAnswers":["42.195"],"points":2000,"tolerance":0.5}]}]}	1795837311288	1795837311288	[]
01a2203e-b986-7072-93e8-4a5b32386e93	01a2203e-b986-7072-93e8-4a5a8427c9aa	Quizhall sample: an evening of thirty questions	3	30	{"title":"Quizhall sample: an evening of thirty questions","rounds":[{"title":"Warming up","questions":[{"id":"01a2203e-b986-7072-93e8-4a5c049d3507","text":"A day on this planet takes only about ten hours. Which one is it?","type":"multiple_choice","choices":["Mercury","Earth","Jupiter","Neptune"],"correctAnswers":["Jupiter"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a5d124c0676","text":"True or false: the tall stem of a banana plant is made of wood.","type":"true_false","choices":["True","False"],"correctAnswers":["False"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a5e3acfa9f0","text":"How many keys, black and white together, does a full-size modern piano usually have?","type":"numeric","correctAnswers":["88"],"points":1000,"tolerance":0.0},{"id":"01a2203e-b986-7072-93e8-4a5f7d401c86","text":"Which gas do green plants take from the air to make sugar with the help of sunlight?","type":"text","correctAnswers":["Carbon dioxide","CO2","Carbon dioxide gas"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a60fea92290","text":"Which of these brass instruments is normally played with a slide?","type":"multiple_choice","choices":["Trumpet","Trombone","French horn","Tuba"],"correctAnswers":["Trombone"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a61fc524795","text":"True or false: the skeleton of a shark is made of cartilage, not of bone.","type":"true_false","choices":["True","False"],"correctAnswers":["True"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a62ad0784c4","text":"At midnight, what does Cinderella's coach turn back into?","type":"text","correctAnswers":["A pumpkin","Pumpkin","The pumpkin"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a638792ce01","text":"Add up the three angles of any triangle on a flat sheet of paper. How many degrees do you get?","type":"numeric","correctAnswers":["180"],"points":1000,"tolerance":0.0},{"id":"01a2203e-b986-7072-93e8-4a64be0db9bd","text":"Which of these words reads the same from right to left?","type":"multiple_choice","choices":["Garden","Paper","Window","Level"],"correctAnswers":["Level"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a65f860b2be","text":"For two thousand points: blue paint and yellow paint, well stirred. Which colour is in the pot?","type":"text","correctAnswers":["Green","A green","Green paint"],"points":2000}]},{"title":"Around the world","questions":[{"id":"01a2203e-b986-7072-93e8-4a664aa5cdf8","text":"What is the capital of Australia?","type":"text","correctAnswers":["Canberra"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a67b08c0d98","text":"Which ocean lies between Africa and Australia?","type":"multiple_choice","choices":["Atlantic Ocean","Arctic Ocean","Indian Ocean","Pacific Ocean"],"correctAnswers":["Indian Ocean"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a68d9fc819b","text":"How high is Mount Everest above the sea, in metres? Fifty metres off is fine.","type":"numeric","correctAnswers":["8849"],"points":1000,"tolerance":50.0},{"id":"01a2203e-b986-7072-93e8-4a690be6e02a","text":"True or false: the Sahara covers more ground than the whole of Australia.","type":"true_false","choices":["True","False"],"correctAnswers":["True"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a6a55472df3","text":"Which river passes through Vienna, Bratislava, Budapest and Belgrade?","type":"text","correctAnswers":["Danube","The Danube","River Danube","The River Danube","Danube River","Donau","Dunaj","Duna","Dunav"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a6b8b940149","text":"Which of these dishes comes from Japan?","type":"multiple_choice","choices":["Okonomiyaki","Paella","Goulash","Tabbouleh"],"correctAnswers":["Okonomiyaki"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a6c31629be3","text":"True or false: Reykjavík, the capital of Iceland, lies north of the Arctic Circle.","type":"true_false","choices":["True","False"],"correctAnswers":["False"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a6d7d30d490","text":"How many stars are on the flag of the European Union?","type":"numeric","correctAnswers":["12"],"points":1000,"tolerance":0.0},{"id":"01a2203e-b986-7072-93e8-4a6e75f36b99","text":"In which country do the walls of Machu Picchu stand?","type":"text","correctAnswers":["Peru","Perú","In Peru"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a6fa74ad6f1","text":"For two thousand points: which strait do you cross on the short way from Spain to Morocco?","type":"multiple_choice","choices":["The Bosporus","The Strait of Gibraltar","The Bering Strait","The Strait of Hormuz"],"correctAnswers":["The Strait of Gibraltar"],"points":2000}]},{"title":"A bit of everything","questions":[{"id":"01a2203e-b986-7072-93e8-4a70595fba5e","text":"Who painted the Mona Lisa?","type":"text","correctAnswers":["Leonardo da Vinci","Leonardo","Da Vinci","Vinci"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a7178293b9c","text":"How many kilometres does light travel in one second through empty space? A thousand off is fine.","type":"numeric","correctAnswers":["299792"],"points":1000,"tolerance":1000.0},{"id":"01a2203e-b986-7072-93e8-4a729d0d029a","text":"Only one of these numbers is a prime. Which?","type":"multiple_choice","choices":["51","57","59","63"],"correctAnswers":["59"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a7304035237","text":"True or false: an octopus has three hearts.","type":"true_false","choices":["True","False"],"correctAnswers":["True"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a746619394d","text":"Chemists write it Au. What is it called in everyday words?","type":"text","correctAnswers":["Gold","Aurum"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a758914a33b","text":"How many bones does a grown-up usually have? Two more or fewer is fine.","type":"numeric","correctAnswers":["206"],"points":1000,"tolerance":2.0},{"id":"01a2203e-b986-7072-93e8-4a7609a5e2f2","text":"Who composed the opera The Magic Flute?","type":"multiple_choice","choices":["Giuseppe Verdi","Georges Bizet","Richard Wagner","Wolfgang Amadeus Mozart"],"correctAnswers":["Wolfgang Amadeus Mozart"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a77af1e9083","text":"True or false: in chess, the queen may jump over other pieces.","type":"true_false","choices":["True","False"],"correctAnswers":["False"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a785b20bf6f","text":"Who wrote the novel Frankenstein?","type":"text","correctAnswers":["Mary Shelley","Shelley","Mary Wollstonecraft Shelley","Mary W. Shelley"],"points":1000},{"id":"01a2203e-b986-7072-93e8-4a79f150b531","text":"For two thousand points: how long is a marathon, in kilometres? Half a kilometre off is fine.","type":"numeric","correctAnswers":["42.195"],"points":2000,"tolerance":0.5}]}]}	1795837311366	1795837311366	[]
01a2203e-b9f0-71e5-a780-13e143418b57	01a2203e-b986-7072-93e8-4a5a8427c9aa	Golden	2	4	{"title":"Golden","rounds":[{"title":"First","questions":[{"id":"01a2203e-b9f0-71e5-a780-13dd0b4a9511","text":"Which planet do we live on?","type":"text","correctAnswers":["Earth","The Earth"],"points":500},{"id":"01a2203e-b9f0-71e5-a780-13de9454517c","text":"How many legs has a spider?","type":"numeric","correctAnswers":["8"],"points":500,"tolerance":0.0}]},{"title":"Second","questions":[{"id":"01a2203e-b9f0-71e5-a780-13dfe104176f","text":"Which colour has the sky?","type":"multiple_choice","choices":["red","blue","green"],"correctAnswers":["blue"],"points":500},{"id":"01a2203e-b9f0-71e5-a780-13e00f63723f","text":"Who wrote Jane Eyre?","type":"text","correctAnswers":["Charlotte Brontë","Brontë"],"points":500}]}]}	1795837311472	1795837311472	[]
\.


--
-- Data for Name: quiz_media; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.quiz_media (quiz_id, media_id) FROM stdin;
\.


--
-- Data for Name: quiz_search; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.quiz_search (quiz_id, host_id, updated_at_ms, words, tags) FROM stdin;
\.


--
-- Data for Name: results_link; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.results_link (game_id, nonce, hash, created_at_ms) FROM stdin;
\.


--
-- Data for Name: screen_pairing; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.screen_pairing (code, hash, expires_at_ms, game_id, screen_id, added) FROM stdin;
\.


--
-- Data for Name: sign_in_attempt; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.sign_in_attempt (state, verifier, nonce, created_at_ms) FROM stdin;
\.


--
-- Data for Name: webhook; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.webhook (id, host_id, url, secret, round_released, game_ended, created_at_ms, failing_since_ms, disabled_at_ms, served_at_ms) FROM stdin;
\.


--
-- Data for Name: webhook_delivery; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.webhook_delivery (id, webhook_id, game_id, event, seq, body, created_at_ms, attempts, due_at_ms, claimed_until_ms, answered, again_at_ms) FROM stdin;
\.


--
-- Data for Name: webhook_old_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.webhook_old_key (webhook_id, secret, until_ms) FROM stdin;
\.


--
-- Data for Name: webhook_past; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.webhook_past (id, webhook_id, game_id, event, seq, body, created_at_ms, attempts, answered, has_arrived, ended_at_ms) FROM stdin;
\.


--
-- Name: _sqlx_migrations _sqlx_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public._sqlx_migrations
    ADD CONSTRAINT _sqlx_migrations_pkey PRIMARY KEY (version);


--
-- Name: creation_key creation_key_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.creation_key
    ADD CONSTRAINT creation_key_pkey PRIMARY KEY (host_id, name);


--
-- Name: game_hold game_hold_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game_hold
    ADD CONSTRAINT game_hold_pkey PRIMARY KEY (game_id);


--
-- Name: game_log game_log_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game_log
    ADD CONSTRAINT game_log_pkey PRIMARY KEY (game_id, seq);


--
-- Name: game_media game_media_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game_media
    ADD CONSTRAINT game_media_pkey PRIMARY KEY (game_id, media_id);


--
-- Name: game game_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game
    ADD CONSTRAINT game_pkey PRIMARY KEY (id);


--
-- Name: game_snapshot game_snapshot_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game_snapshot
    ADD CONSTRAINT game_snapshot_pkey PRIMARY KEY (game_id, name, part);


--
-- Name: host_identity host_identity_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_identity
    ADD CONSTRAINT host_identity_pkey PRIMARY KEY (issuer, subject);


--
-- Name: host host_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host
    ADD CONSTRAINT host_pkey PRIMARY KEY (id);


--
-- Name: host_token host_token_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_token
    ADD CONSTRAINT host_token_pkey PRIMARY KEY (hash);


--
-- Name: media_part media_part_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.media_part
    ADD CONSTRAINT media_part_pkey PRIMARY KEY (media_id, part);


--
-- Name: media media_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.media
    ADD CONSTRAINT media_pkey PRIMARY KEY (id);


--
-- Name: node node_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.node
    ADD CONSTRAINT node_pkey PRIMARY KEY (id);


--
-- Name: probe probe_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.probe
    ADD CONSTRAINT probe_pkey PRIMARY KEY (id);


--
-- Name: question_asked question_asked_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.question_asked
    ADD CONSTRAINT question_asked_pkey PRIMARY KEY (host_id, question_id, game_id);


--
-- Name: question_search question_search_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.question_search
    ADD CONSTRAINT question_search_pkey PRIMARY KEY (host_id, quiz_id, place);


--
-- Name: quiz_media quiz_media_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quiz_media
    ADD CONSTRAINT quiz_media_pkey PRIMARY KEY (quiz_id, media_id);


--
-- Name: quiz quiz_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quiz
    ADD CONSTRAINT quiz_pkey PRIMARY KEY (id);


--
-- Name: quiz_search quiz_search_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quiz_search
    ADD CONSTRAINT quiz_search_pkey PRIMARY KEY (quiz_id);


--
-- Name: results_link results_link_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.results_link
    ADD CONSTRAINT results_link_pkey PRIMARY KEY (game_id);


--
-- Name: screen_pairing screen_pairing_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.screen_pairing
    ADD CONSTRAINT screen_pairing_pkey PRIMARY KEY (code);


--
-- Name: sign_in_attempt sign_in_attempt_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_attempt
    ADD CONSTRAINT sign_in_attempt_pkey PRIMARY KEY (state);


--
-- Name: webhook_delivery webhook_delivery_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (id);


--
-- Name: webhook_old_key webhook_old_key_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_old_key
    ADD CONSTRAINT webhook_old_key_pkey PRIMARY KEY (webhook_id, secret);


--
-- Name: webhook_past webhook_past_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_past
    ADD CONSTRAINT webhook_past_pkey PRIMARY KEY (id);


--
-- Name: webhook webhook_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook
    ADD CONSTRAINT webhook_pkey PRIMARY KEY (id);


--
-- Name: creation_key_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX creation_key_time ON public.creation_key USING btree (host_id, created_at_ms);


--
-- Name: game_closed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX game_closed ON public.game USING btree (closed_at_ms) WHERE (closed = 1);


--
-- Name: game_code_held; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX game_code_held ON public.game USING btree (code) WHERE (code_held = 1);


--
-- Name: game_ended; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX game_ended ON public.game USING btree (ended_at_ms) WHERE (ended_at_ms IS NOT NULL);


--
-- Name: game_follows; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX game_follows ON public.game USING btree (follows) WHERE (follows IS NOT NULL);


--
-- Name: game_hold_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX game_hold_time ON public.game_hold USING btree (held_at_ms);


--
-- Name: game_host; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX game_host ON public.game USING btree (host_id, created_at_ms);


--
-- Name: game_invitations_ended; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX game_invitations_ended ON public.game USING btree (invitations_ended_at_ms) WHERE (invitations_ended_at_ms IS NOT NULL);


--
-- Name: game_live; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX game_live ON public.game USING btree (host_id) WHERE ((closed = 0) AND (phase <> 'ended'::text));


--
-- Name: game_media_media; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX game_media_media ON public.game_media USING btree (media_id);


--
-- Name: game_owner; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX game_owner ON public.game USING btree (owner) WHERE (owner IS NOT NULL);


--
-- Name: game_quiz; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX game_quiz ON public.game USING btree (host_id, quiz_id, created_at_ms) WHERE (quiz_id IS NOT NULL);


--
-- Name: game_uncounted; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX game_uncounted ON public.game USING btree (host_id) WHERE ((phase = 'ended'::text) AND (closed = 0) AND (counted = 0));


--
-- Name: host_identity_host; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX host_identity_host ON public.host_identity USING btree (host_id);


--
-- Name: host_name_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX host_name_key ON public.host USING btree (name_key);


--
-- Name: host_token_expires; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX host_token_expires ON public.host_token USING btree (expires_at_ms);


--
-- Name: host_token_host; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX host_token_host ON public.host_token USING btree (host_id);


--
-- Name: media_host; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX media_host ON public.media USING btree (host_id, sha256);


--
-- Name: question_asked_game; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX question_asked_game ON public.question_asked USING btree (game_id);


--
-- Name: question_search_quiz; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX question_search_quiz ON public.question_search USING btree (quiz_id);


--
-- Name: quiz_host; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX quiz_host ON public.quiz USING btree (host_id, updated_at_ms);


--
-- Name: quiz_media_media; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX quiz_media_media ON public.quiz_media USING btree (media_id);


--
-- Name: quiz_search_host; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX quiz_search_host ON public.quiz_search USING btree (host_id);


--
-- Name: results_link_hash; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX results_link_hash ON public.results_link USING btree (hash);


--
-- Name: screen_pairing_game; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX screen_pairing_game ON public.screen_pairing USING btree (game_id);


--
-- Name: screen_pairing_hash; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX screen_pairing_hash ON public.screen_pairing USING btree (hash);


--
-- Name: sign_in_attempt_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sign_in_attempt_time ON public.sign_in_attempt USING btree (created_at_ms);


--
-- Name: webhook_delivery_claimed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_delivery_claimed ON public.webhook_delivery USING btree (webhook_id, claimed_until_ms) WHERE (claimed_until_ms > 0);


--
-- Name: webhook_delivery_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_delivery_created ON public.webhook_delivery USING btree (created_at_ms);


--
-- Name: webhook_delivery_game; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_delivery_game ON public.webhook_delivery USING btree (game_id);


--
-- Name: webhook_delivery_next; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_delivery_next ON public.webhook_delivery USING btree (webhook_id, due_at_ms);


--
-- Name: webhook_host; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_host ON public.webhook USING btree (host_id);


--
-- Name: webhook_past_ended; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_past_ended ON public.webhook_past USING btree (ended_at_ms);


--
-- Name: webhook_past_game; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_past_game ON public.webhook_past USING btree (game_id);


--
-- Name: webhook_past_webhook; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_past_webhook ON public.webhook_past USING btree (webhook_id, ended_at_ms);


--
-- Name: game webhook_enqueue; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER webhook_enqueue AFTER UPDATE OF phase ON public.game FOR EACH ROW WHEN (((old.phase <> new.phase) AND ((new.phase = ANY (ARRAY['leaderboard'::text, 'ended'::text])) OR (old.phase = 'round_review'::text)))) EXECUTE FUNCTION public.webhook_enqueue();


--
-- Name: creation_key creation_key_host_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.creation_key
    ADD CONSTRAINT creation_key_host_id_fkey FOREIGN KEY (host_id) REFERENCES public.host(id) ON DELETE CASCADE;


--
-- Name: game game_host_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game
    ADD CONSTRAINT game_host_id_fkey FOREIGN KEY (host_id) REFERENCES public.host(id);


--
-- Name: game_media game_media_game_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game_media
    ADD CONSTRAINT game_media_game_id_fkey FOREIGN KEY (game_id) REFERENCES public.game(id) ON DELETE CASCADE;


--
-- Name: game_media game_media_media_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game_media
    ADD CONSTRAINT game_media_media_id_fkey FOREIGN KEY (media_id) REFERENCES public.media(id);


--
-- Name: host_identity host_identity_host_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_identity
    ADD CONSTRAINT host_identity_host_id_fkey FOREIGN KEY (host_id) REFERENCES public.host(id) ON DELETE CASCADE;


--
-- Name: host_token host_token_host_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_token
    ADD CONSTRAINT host_token_host_id_fkey FOREIGN KEY (host_id) REFERENCES public.host(id) ON DELETE CASCADE;


--
-- Name: media media_host_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.media
    ADD CONSTRAINT media_host_id_fkey FOREIGN KEY (host_id) REFERENCES public.host(id) ON DELETE CASCADE;


--
-- Name: question_asked question_asked_game_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.question_asked
    ADD CONSTRAINT question_asked_game_id_fkey FOREIGN KEY (game_id) REFERENCES public.game(id) ON DELETE CASCADE;


--
-- Name: question_search question_search_quiz_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.question_search
    ADD CONSTRAINT question_search_quiz_id_fkey FOREIGN KEY (quiz_id) REFERENCES public.quiz(id) ON DELETE CASCADE;


--
-- Name: quiz quiz_host_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quiz
    ADD CONSTRAINT quiz_host_id_fkey FOREIGN KEY (host_id) REFERENCES public.host(id) ON DELETE CASCADE;


--
-- Name: quiz_media quiz_media_media_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quiz_media
    ADD CONSTRAINT quiz_media_media_id_fkey FOREIGN KEY (media_id) REFERENCES public.media(id);


--
-- Name: quiz_media quiz_media_quiz_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quiz_media
    ADD CONSTRAINT quiz_media_quiz_id_fkey FOREIGN KEY (quiz_id) REFERENCES public.quiz(id) ON DELETE CASCADE;


--
-- Name: quiz_search quiz_search_quiz_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quiz_search
    ADD CONSTRAINT quiz_search_quiz_id_fkey FOREIGN KEY (quiz_id) REFERENCES public.quiz(id) ON DELETE CASCADE;


--
-- Name: results_link results_link_game_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.results_link
    ADD CONSTRAINT results_link_game_id_fkey FOREIGN KEY (game_id) REFERENCES public.game(id) ON DELETE CASCADE;


--
-- Name: screen_pairing screen_pairing_game_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.screen_pairing
    ADD CONSTRAINT screen_pairing_game_id_fkey FOREIGN KEY (game_id) REFERENCES public.game(id) ON DELETE CASCADE;


--
-- Name: webhook webhook_host_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook
    ADD CONSTRAINT webhook_host_id_fkey FOREIGN KEY (host_id) REFERENCES public.host(id) ON DELETE CASCADE;


--
-- Name: webhook_old_key webhook_old_key_webhook_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_old_key
    ADD CONSTRAINT webhook_old_key_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES public.webhook(id) ON DELETE CASCADE;


--
-- Name: webhook_past webhook_past_webhook_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_past
    ADD CONSTRAINT webhook_past_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES public.webhook(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--


