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
    owner uuid
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
    body text NOT NULL
);


--
-- Name: host; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.host (
    id uuid NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    password_hash text,
    created_at_ms bigint NOT NULL
);


--
-- Name: host_token; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.host_token (
    hash bytea NOT NULL,
    host_id uuid NOT NULL,
    created_at_ms bigint NOT NULL,
    expires_at_ms bigint NOT NULL
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
    draining integer NOT NULL
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
    updated_at_ms bigint NOT NULL
);


--
-- Data for Name: _sqlx_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public._sqlx_migrations (version, description, installed_on, success, checksum, execution_time) FROM stdin;
1	start	2026-11-23 13:27:22.330743+00	t	\\x982a9bccdeb6b273649adf710d20f7899e449cc794f46f766c4ba53705ea528826ed3c6bfb4af3df34247f1df5ffc2d5	122670283
2	quiz of game	2026-11-23 13:27:22.461585+00	t	\\x0332e915146845ddd79a7b0ac7393ce76eec9d4052aaa8a398e2fd5c7911bc91b1c404d97f5ec7f9d96773b3d0a2abcb	7593040
3	nodes	2026-11-23 13:27:22.469757+00	t	\\x8c7994cd1684abf8e1bb96bca69f681a95a74a3b0954ddc1c4c01544218eaf0faeda0a671f85eb64d613bdfddbd48130	27809424
\.


--
-- Data for Name: game; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.game (id, host_id, code, code_held, title, phase, closed, created_at_ms, ended_at_ms, active_at_ms, quiz_id, owner) FROM stdin;
01a20896-ff0b-7530-afff-6b27acfa2357	01a20896-fe1b-70db-ac24-9f1018bb528c	Z3VWGY	1	Golden	lobby	0	1763904443147	\N	1763904443147	01a20896-ff03-7450-9c60-817c95806648	\N
01a20896-ff71-73c7-8f4e-4ea7bab3767f	01a20896-fe1b-70db-ac24-9f1018bb528c	NKXXFM	1	Golden	question	0	1763904443249	\N	1763904443249	01a20896-ff03-7450-9c60-817c95806648	\N
01a20897-001a-77ec-b3a1-cc8059f5770b	01a20896-fe1b-70db-ac24-9f1018bb528c	628CR5	1	Golden	round_review	0	1763904443418	\N	1763904443418	01a20896-ff03-7450-9c60-817c95806648	\N
01a20897-008f-7372-860c-c6837cc1166f	01a20896-fe1b-70db-ac24-9f1018bb528c	TYNTUT	1	Golden	leaderboard	0	1763904443535	\N	1763904443535	01a20896-ff03-7450-9c60-817c95806648	\N
01a20897-00de-7363-a16b-904d647cd826	01a20896-fe1b-70db-ac24-9f1018bb528c	4AFFD7	1	Golden	ended	0	1763904443614	1763904443764	1763904443614	01a20896-ff03-7450-9c60-817c95806648	\N
01a20897-0181-708b-b196-aa1683b58069	01a20896-fe1b-70db-ac24-9f1018bb528c	QJR3DF	1	Golden	leaderboard	1	1763904443777	1763904443892	1763904443777	01a20896-ff03-7450-9c60-817c95806648	\N
\.


--
-- Data for Name: game_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.game_log (game_id, seq, n, epoch, batch, body) FROM stdin;
01a20896-ff0b-7530-afff-6b27acfa2357	0	1	0	3222879872525079882	[{"c":{"t":"created","game":"01a20896-ff0b-7530-afff-6b27acfa2357","host":"01a20896-fe1b-70db-ac24-9f1018bb528c","code":"Z3VWGY","quiz":{"title":"Golden","rounds":[{"title":"First","questions":[{"id":"01a20896-ff03-7450-9c60-81787536ed0d","text":"Which planet do we live on?","kind":"text","choices":[],"accepted":["Earth","The Earth"],"points":500,"tolerance":0.0},{"id":"01a20896-ff03-7450-9c60-8179a0d20c08","text":"How many legs has a spider?","kind":"numeric","choices":[],"accepted":["8"],"points":500,"tolerance":0.0}]},{"title":"Second","questions":[{"id":"01a20896-ff03-7450-9c60-817a233b0a5a","text":"Which colour has the sky?","kind":"multiple_choice","choices":["red","blue","green"],"accepted":["blue"],"points":500,"tolerance":0.0},{"id":"01a20896-ff03-7450-9c60-817b9103d9cb","text":"Who wrote Jane Eyre?","kind":"text","choices":[],"accepted":["Charlotte Brontë","Brontë"],"points":500,"tolerance":0.0}]}]},"join_secret":"c39e21b4e8422c768e79bc393316eaa08d8cefe7248ea068ab81ca11a981ae76","created_at_ms":1795440443147}}]
01a20896-ff0b-7530-afff-6b27acfa2357	1	1	1	6787218860796840463	[{"c":{"t":"claimed","e":1,"node":"01a20896-fc85-74a9-ae5f-3aa4cb722a04"}}]
01a20896-ff0b-7530-afff-6b27acfa2357	2	1	1	-2153550337306058918	[{"c":{"t":"joined","p":"01a20896-ff17-7711-b0c2-10ac051fdc2a","n":"Ann","k":"f734a620ba44ce0630b45f5f9df0f6cd038aff2ff208139ec9584d0c9061bb3c"}}]
01a20896-ff0b-7530-afff-6b27acfa2357	3	1	1	7700397335120975337	[{"c":{"t":"joined","p":"01a20896-ff53-7257-85dd-8331e436c9a3","n":"Bob","k":"4237d5e700a72ee129aa4f5d37923222a4f95de3f850250a54dff13cb935f9b4"}}]
01a20896-ff0b-7530-afff-6b27acfa2357	4	1	1	-422992244987830415	[{"c":{"t":"joined","p":"01a20896-ff63-753d-a702-9f36a59cf808","n":"Čeněk & Dóra","k":"9cc5eec3bbd19b9366a1158d0da5b251b1e91ecf240746c09eb28b84bf1c232f"}}]
01a20896-ff71-73c7-8f4e-4ea7bab3767f	0	1	0	-4661499603979879178	[{"c":{"t":"created","game":"01a20896-ff71-73c7-8f4e-4ea7bab3767f","host":"01a20896-fe1b-70db-ac24-9f1018bb528c","code":"NKXXFM","quiz":{"title":"Golden","rounds":[{"title":"First","questions":[{"id":"01a20896-ff03-7450-9c60-81787536ed0d","text":"Which planet do we live on?","kind":"text","choices":[],"accepted":["Earth","The Earth"],"points":500,"tolerance":0.0},{"id":"01a20896-ff03-7450-9c60-8179a0d20c08","text":"How many legs has a spider?","kind":"numeric","choices":[],"accepted":["8"],"points":500,"tolerance":0.0}]},{"title":"Second","questions":[{"id":"01a20896-ff03-7450-9c60-817a233b0a5a","text":"Which colour has the sky?","kind":"multiple_choice","choices":["red","blue","green"],"accepted":["blue"],"points":500,"tolerance":0.0},{"id":"01a20896-ff03-7450-9c60-817b9103d9cb","text":"Who wrote Jane Eyre?","kind":"text","choices":[],"accepted":["Charlotte Brontë","Brontë"],"points":500,"tolerance":0.0}]}]},"join_secret":"ee7c4cf49b758da271cf53030c3ec724f0c81cf379afb86b2d5e6ebf68852191","created_at_ms":1795440443249}}]
01a20896-ff71-73c7-8f4e-4ea7bab3767f	1	1	1	-63786596446982537	[{"c":{"t":"claimed","e":1,"node":"01a20896-fc85-74a9-ae5f-3aa4cb722a04"}}]
01a20896-ff71-73c7-8f4e-4ea7bab3767f	2	1	1	-7774691067109781175	[{"c":{"t":"joined","p":"01a20896-ff7e-76c1-8776-39a792ef03c0","n":"Ann","k":"76dc7a041d7b9498b2518feca569a56121fdc6e47ada3cf0194d15e2d6668ffe"}}]
01a20896-ff71-73c7-8f4e-4ea7bab3767f	3	1	1	5230925489203181619	[{"c":{"t":"joined","p":"01a20896-ff9e-7203-bcbe-8a86ce984364","n":"Bob","k":"d56e357eb25f1f399464b27c6ef242610b8250eb4987cdc44ba97c3b2db715d8"}}]
01a20896-ff71-73c7-8f4e-4ea7bab3767f	4	1	1	6659007029668298690	[{"c":{"t":"joined","p":"01a20896-ffb1-7682-8512-f80926c68560","n":"Čeněk & Dóra","k":"994ea0c772688d4f53bace2a0901390286af1ce21d4a433d7540e2632a73fbfb"}}]
01a20896-ff71-73c7-8f4e-4ea7bab3767f	5	1	1	-1413139860973760556	[{"c":{"t":"host_returned"}}]
01a20896-ff71-73c7-8f4e-4ea7bab3767f	6	1	1	253600922932293997	[{"c":{"t":"started"},"s":[4294967297,1]}]
01a20896-ff71-73c7-8f4e-4ea7bab3767f	7	1	1	-6549619513565606972	[{"c":{"t":"question_released","q":"01a20896-ff03-7450-9c60-81787536ed0d"},"s":[4294967297,2]}]
01a20896-ff71-73c7-8f4e-4ea7bab3767f	8	1	1	-1924163886346739532	[{"c":{"t":"answered","p":"01a20896-ff7e-76c1-8776-39a792ef03c0","q":"01a20896-ff03-7450-9c60-81787536ed0d","a":"earth","ok":true},"s":[4294967298,1]}]
01a20896-ff71-73c7-8f4e-4ea7bab3767f	9	1	1	-7262561416797055162	[{"c":{"t":"answered","p":"01a20896-ff9e-7203-bcbe-8a86ce984364","q":"01a20896-ff03-7450-9c60-81787536ed0d","a":"the globe"},"s":[4294967300,1]}]
01a20897-001a-77ec-b3a1-cc8059f5770b	0	1	0	4148981601846194131	[{"c":{"t":"created","game":"01a20897-001a-77ec-b3a1-cc8059f5770b","host":"01a20896-fe1b-70db-ac24-9f1018bb528c","code":"628CR5","quiz":{"title":"Golden","rounds":[{"title":"First","questions":[{"id":"01a20896-ff03-7450-9c60-81787536ed0d","text":"Which planet do we live on?","kind":"text","choices":[],"accepted":["Earth","The Earth"],"points":500,"tolerance":0.0},{"id":"01a20896-ff03-7450-9c60-8179a0d20c08","text":"How many legs has a spider?","kind":"numeric","choices":[],"accepted":["8"],"points":500,"tolerance":0.0}]},{"title":"Second","questions":[{"id":"01a20896-ff03-7450-9c60-817a233b0a5a","text":"Which colour has the sky?","kind":"multiple_choice","choices":["red","blue","green"],"accepted":["blue"],"points":500,"tolerance":0.0},{"id":"01a20896-ff03-7450-9c60-817b9103d9cb","text":"Who wrote Jane Eyre?","kind":"text","choices":[],"accepted":["Charlotte Brontë","Brontë"],"points":500,"tolerance":0.0}]}]},"join_secret":"a93a1db51ea2e8d6414474f50604b51c6d2b59c1aee652cbe2238f71fd5ca964","created_at_ms":1795440443418}}]
01a20897-001a-77ec-b3a1-cc8059f5770b	1	1	1	3764950203365728686	[{"c":{"t":"claimed","e":1,"node":"01a20896-fc85-74a9-ae5f-3aa4cb722a04"}}]
01a20897-001a-77ec-b3a1-cc8059f5770b	2	1	1	-4050850504107481748	[{"c":{"t":"joined","p":"01a20897-002a-7595-8c05-5f014f5e8936","n":"Ann","k":"f5d17e562b2e4fec9ce61a7a8f2b0a7a189f97c1cff62a3af4a8458a547982a7"}}]
01a20897-001a-77ec-b3a1-cc8059f5770b	3	1	1	-1569963128718417488	[{"c":{"t":"joined","p":"01a20897-0038-73ee-bebe-86af3994a6a6","n":"Bob","k":"5905795838ed9197a437259f39d44144a8756b8a3ac91bed3c7cbe388094f726"}}]
01a20897-001a-77ec-b3a1-cc8059f5770b	4	1	1	7873051122762046678	[{"c":{"t":"joined","p":"01a20897-0041-761e-b7dc-6f0621cd53a0","n":"Čeněk & Dóra","k":"aecbfab977503c1e6205fbe67fb9ab655a12f8b661b605a7f5e118bdcfb562e2"}}]
01a20897-001a-77ec-b3a1-cc8059f5770b	5	1	1	5620690174092429312	[{"c":{"t":"host_returned"}}]
01a20897-001a-77ec-b3a1-cc8059f5770b	6	1	1	-4620655571044888904	[{"c":{"t":"started"},"s":[4294967297,1]}]
01a20897-001a-77ec-b3a1-cc8059f5770b	7	1	1	4415204066273051877	[{"c":{"t":"question_released","q":"01a20896-ff03-7450-9c60-81787536ed0d"},"s":[4294967297,2]}]
01a20897-001a-77ec-b3a1-cc8059f5770b	8	1	1	-6758436994817223540	[{"c":{"t":"answered","p":"01a20897-002a-7595-8c05-5f014f5e8936","q":"01a20896-ff03-7450-9c60-81787536ed0d","a":"earth","ok":true},"s":[4294967298,1]}]
01a20897-001a-77ec-b3a1-cc8059f5770b	9	1	1	9019042489146492447	[{"c":{"t":"answered","p":"01a20897-0038-73ee-bebe-86af3994a6a6","q":"01a20896-ff03-7450-9c60-81787536ed0d","a":"the globe"},"s":[4294967299,1]}]
01a20897-001a-77ec-b3a1-cc8059f5770b	10	1	1	2636753196730864387	[{"c":{"t":"answered","p":"01a20897-0041-761e-b7dc-6f0621cd53a0","q":"01a20896-ff03-7450-9c60-81787536ed0d","a":"Mars"},"s":[4294967300,1]}]
01a20897-001a-77ec-b3a1-cc8059f5770b	11	1	1	-300564655236647723	[{"c":{"t":"question_released","q":"01a20896-ff03-7450-9c60-8179a0d20c08"},"s":[4294967297,3]}]
01a20897-001a-77ec-b3a1-cc8059f5770b	12	1	1	4266151725944468013	[{"c":{"t":"answered","p":"01a20897-002a-7595-8c05-5f014f5e8936","q":"01a20896-ff03-7450-9c60-8179a0d20c08","a":"8","ok":true},"s":[4294967298,2]}]
01a20897-001a-77ec-b3a1-cc8059f5770b	13	1	1	-8677672141432286015	[{"c":{"t":"answered","p":"01a20897-0038-73ee-bebe-86af3994a6a6","q":"01a20896-ff03-7450-9c60-8179a0d20c08","a":"08","ok":true},"s":[4294967299,2]}]
01a20897-001a-77ec-b3a1-cc8059f5770b	14	1	1	-4986596738737557602	[{"c":{"t":"answered","p":"01a20897-0041-761e-b7dc-6f0621cd53a0","q":"01a20896-ff03-7450-9c60-8179a0d20c08","a":"9"},"s":[4294967300,2]}]
01a20897-001a-77ec-b3a1-cc8059f5770b	15	1	1	-6935342633775990555	[{"c":{"t":"round_ended"},"s":[4294967297,4]}]
01a20897-001a-77ec-b3a1-cc8059f5770b	16	1	1	3130794128732420135	[{"c":{"t":"answer_overridden","p":"01a20897-0038-73ee-bebe-86af3994a6a6","q":"01a20896-ff03-7450-9c60-81787536ed0d","ok":true},"s":[4294967297,5]}]
01a20897-008f-7372-860c-c6837cc1166f	1	1	1	969248808813889364	[{"c":{"t":"claimed","e":1,"node":"01a20896-fc85-74a9-ae5f-3aa4cb722a04"}}]
01a20897-008f-7372-860c-c6837cc1166f	2	1	1	7781657756429234293	[{"c":{"t":"joined","p":"01a20897-0092-7623-9026-5d3c8e5c6fdc","n":"Ann","k":"cf35c17937c2b8a14d5d2fb978c1b92ea5416101df6ba9cfb4cc3b4da7fbcee3"}}]
01a20897-008f-7372-860c-c6837cc1166f	3	1	1	179128747518159918	[{"c":{"t":"joined","p":"01a20897-0099-77f7-a01d-466f78e59106","n":"Bob","k":"e1dbe4a7db8e41d2fb298046b2e3f6f82d11437acad3e6db838a03d6113b23d2"}}]
01a20897-008f-7372-860c-c6837cc1166f	4	1	1	7651142612723494240	[{"c":{"t":"joined","p":"01a20897-009e-701e-9acb-3ec762af9533","n":"Čeněk & Dóra","k":"531138061e783fc1e3ab0b266e502a98a3b331b7a4ba70b74b15e0583175caaf"}}]
01a20897-008f-7372-860c-c6837cc1166f	5	1	1	-3071410758589353682	[{"c":{"t":"host_returned"}}]
01a20897-008f-7372-860c-c6837cc1166f	6	1	1	-366005161251821143	[{"c":{"t":"started"},"s":[4294967297,1]}]
01a20897-008f-7372-860c-c6837cc1166f	7	1	1	-4173199721710915321	[{"c":{"t":"question_released","q":"01a20896-ff03-7450-9c60-81787536ed0d"},"s":[4294967297,2]}]
01a20897-008f-7372-860c-c6837cc1166f	8	1	1	-13823125372154050	[{"c":{"t":"answered","p":"01a20897-0092-7623-9026-5d3c8e5c6fdc","q":"01a20896-ff03-7450-9c60-81787536ed0d","a":"earth","ok":true},"s":[4294967298,1]}]
01a20897-008f-7372-860c-c6837cc1166f	9	1	1	-5212280488528136550	[{"c":{"t":"answered","p":"01a20897-0099-77f7-a01d-466f78e59106","q":"01a20896-ff03-7450-9c60-81787536ed0d","a":"the globe"},"s":[4294967299,1]}]
01a20897-008f-7372-860c-c6837cc1166f	10	1	1	8947966129056838528	[{"c":{"t":"answered","p":"01a20897-009e-701e-9acb-3ec762af9533","q":"01a20896-ff03-7450-9c60-81787536ed0d","a":"Mars"},"s":[4294967300,1]}]
01a20897-008f-7372-860c-c6837cc1166f	11	1	1	3719914651515846604	[{"c":{"t":"question_released","q":"01a20896-ff03-7450-9c60-8179a0d20c08"},"s":[4294967297,3]}]
01a20897-008f-7372-860c-c6837cc1166f	12	1	1	-4739304713742565897	[{"c":{"t":"answered","p":"01a20897-0092-7623-9026-5d3c8e5c6fdc","q":"01a20896-ff03-7450-9c60-8179a0d20c08","a":"8","ok":true},"s":[4294967298,2]}]
01a20897-008f-7372-860c-c6837cc1166f	13	1	1	4946023266555320143	[{"c":{"t":"answered","p":"01a20897-0099-77f7-a01d-466f78e59106","q":"01a20896-ff03-7450-9c60-8179a0d20c08","a":"08","ok":true},"s":[4294967299,2]}]
01a20897-008f-7372-860c-c6837cc1166f	14	1	1	861519158585024918	[{"c":{"t":"answered","p":"01a20897-009e-701e-9acb-3ec762af9533","q":"01a20896-ff03-7450-9c60-8179a0d20c08","a":"9"},"s":[4294967300,2]}]
01a20897-008f-7372-860c-c6837cc1166f	15	1	1	-735184993646055352	[{"c":{"t":"round_ended"},"s":[4294967297,4]}]
01a20897-008f-7372-860c-c6837cc1166f	16	1	1	-2178985104686973089	[{"c":{"t":"answer_overridden","p":"01a20897-0099-77f7-a01d-466f78e59106","q":"01a20896-ff03-7450-9c60-81787536ed0d","ok":true},"s":[4294967297,5]}]
01a20897-008f-7372-860c-c6837cc1166f	17	1	1	4017964569283016599	[{"c":{"t":"scores_released"},"s":[4294967297,6]}]
01a20897-00de-7363-a16b-904d647cd826	1	1	1	-7520267898855265712	[{"c":{"t":"claimed","e":1,"node":"01a20896-fc85-74a9-ae5f-3aa4cb722a04"}}]
01a20897-00de-7363-a16b-904d647cd826	2	1	1	7922361685312456183	[{"c":{"t":"joined","p":"01a20897-00e0-700b-97d8-afe63f6a8be5","n":"Ann","k":"40eabe05616b45d3b79735e829e6878ef3d46cdd5a436a469285a3979d42a8ae"}}]
01a20897-00de-7363-a16b-904d647cd826	3	1	1	93523889173918004	[{"c":{"t":"joined","p":"01a20897-00e4-7518-b78b-6910f5ef2bd2","n":"Bob","k":"b18c43f4d98415775c401526bb3ef2f4a836da1e653c78e90dc142d398e5db53"}}]
01a20897-00de-7363-a16b-904d647cd826	4	1	1	5876149949545441421	[{"c":{"t":"joined","p":"01a20897-00ec-778b-87b3-d8787031a32f","n":"Čeněk & Dóra","k":"7de7333231e9226a306403b0ca6b6d3fd9e3787f56392baa7e863181edc46cd3"}}]
01a20897-00de-7363-a16b-904d647cd826	5	1	1	-8053177191756488291	[{"c":{"t":"host_returned"}}]
01a20897-00de-7363-a16b-904d647cd826	6	1	1	-8828323074240128513	[{"c":{"t":"started"},"s":[4294967297,1]}]
01a20897-00de-7363-a16b-904d647cd826	7	1	1	-2594226891525249044	[{"c":{"t":"question_released","q":"01a20896-ff03-7450-9c60-81787536ed0d"},"s":[4294967297,2]}]
01a20897-00de-7363-a16b-904d647cd826	8	1	1	-6839418569595620562	[{"c":{"t":"answered","p":"01a20897-00e0-700b-97d8-afe63f6a8be5","q":"01a20896-ff03-7450-9c60-81787536ed0d","a":"earth","ok":true},"s":[4294967299,1]}]
01a20897-00de-7363-a16b-904d647cd826	9	1	1	-20663805140299914	[{"c":{"t":"answered","p":"01a20897-00e4-7518-b78b-6910f5ef2bd2","q":"01a20896-ff03-7450-9c60-81787536ed0d","a":"the globe"},"s":[4294967298,1]}]
01a20897-00de-7363-a16b-904d647cd826	10	1	1	155245174469988649	[{"c":{"t":"answered","p":"01a20897-00ec-778b-87b3-d8787031a32f","q":"01a20896-ff03-7450-9c60-81787536ed0d","a":"Mars"},"s":[4294967300,1]}]
01a20897-00de-7363-a16b-904d647cd826	11	1	1	7125939631910145873	[{"c":{"t":"question_released","q":"01a20896-ff03-7450-9c60-8179a0d20c08"},"s":[4294967297,3]}]
01a20897-00de-7363-a16b-904d647cd826	12	1	1	-6298649454270231557	[{"c":{"t":"answered","p":"01a20897-00e0-700b-97d8-afe63f6a8be5","q":"01a20896-ff03-7450-9c60-8179a0d20c08","a":"8","ok":true},"s":[4294967299,2]}]
01a20897-00de-7363-a16b-904d647cd826	13	1	1	2113831948768351715	[{"c":{"t":"answered","p":"01a20897-00e4-7518-b78b-6910f5ef2bd2","q":"01a20896-ff03-7450-9c60-8179a0d20c08","a":"08","ok":true},"s":[4294967298,2]}]
01a20897-00de-7363-a16b-904d647cd826	14	1	1	7482934110434981004	[{"c":{"t":"answered","p":"01a20897-00ec-778b-87b3-d8787031a32f","q":"01a20896-ff03-7450-9c60-8179a0d20c08","a":"9"},"s":[4294967300,2]}]
01a20897-00de-7363-a16b-904d647cd826	15	1	1	-8109600355445243768	[{"c":{"t":"round_ended"},"s":[4294967297,4]}]
01a20897-00de-7363-a16b-904d647cd826	16	1	1	-4172307768296414938	[{"c":{"t":"answer_overridden","p":"01a20897-00e4-7518-b78b-6910f5ef2bd2","q":"01a20896-ff03-7450-9c60-81787536ed0d","ok":true},"s":[4294967297,5]}]
01a20897-00de-7363-a16b-904d647cd826	17	1	1	-9103782732065196169	[{"c":{"t":"scores_released"},"s":[4294967297,6]}]
01a20897-00de-7363-a16b-904d647cd826	18	1	1	-1499943608315858680	[{"c":{"t":"next_round_started"},"s":[4294967297,7]}]
01a20897-00de-7363-a16b-904d647cd826	19	1	1	-6605233424780702137	[{"c":{"t":"question_released","q":"01a20896-ff03-7450-9c60-817a233b0a5a"},"s":[4294967297,8]}]
01a20897-00de-7363-a16b-904d647cd826	20	1	1	-3692507635571026185	[{"c":{"t":"answered","p":"01a20897-00e0-700b-97d8-afe63f6a8be5","q":"01a20896-ff03-7450-9c60-817a233b0a5a","a":"blue","ok":true},"s":[4294967299,3]}]
01a20897-008f-7372-860c-c6837cc1166f	0	1	0	-2809508551759500945	[{"c":{"t":"created","game":"01a20897-008f-7372-860c-c6837cc1166f","host":"01a20896-fe1b-70db-ac24-9f1018bb528c","code":"TYNTUT","quiz":{"title":"Golden","rounds":[{"title":"First","questions":[{"id":"01a20896-ff03-7450-9c60-81787536ed0d","text":"Which planet do we live on?","kind":"text","choices":[],"accepted":["Earth","The Earth"],"points":500,"tolerance":0.0},{"id":"01a20896-ff03-7450-9c60-8179a0d20c08","text":"How many legs has a spider?","kind":"numeric","choices":[],"accepted":["8"],"points":500,"tolerance":0.0}]},{"title":"Second","questions":[{"id":"01a20896-ff03-7450-9c60-817a233b0a5a","text":"Which colour has the sky?","kind":"multiple_choice","choices":["red","blue","green"],"accepted":["blue"],"points":500,"tolerance":0.0},{"id":"01a20896-ff03-7450-9c60-817b9103d9cb","text":"Who wrote Jane Eyre?","kind":"text","choices":[],"accepted":["Charlotte Brontë","Brontë"],"points":500,"tolerance":0.0}]}]},"join_secret":"2453fa6babf929f9dfcd6933b1037cd1df73467c0385517efea4650b5cbff0bf","created_at_ms":1795440443535}}]
01a20897-00de-7363-a16b-904d647cd826	0	1	0	3451389683216798273	[{"c":{"t":"created","game":"01a20897-00de-7363-a16b-904d647cd826","host":"01a20896-fe1b-70db-ac24-9f1018bb528c","code":"4AFFD7","quiz":{"title":"Golden","rounds":[{"title":"First","questions":[{"id":"01a20896-ff03-7450-9c60-81787536ed0d","text":"Which planet do we live on?","kind":"text","choices":[],"accepted":["Earth","The Earth"],"points":500,"tolerance":0.0},{"id":"01a20896-ff03-7450-9c60-8179a0d20c08","text":"How many legs has a spider?","kind":"numeric","choices":[],"accepted":["8"],"points":500,"tolerance":0.0}]},{"title":"Second","questions":[{"id":"01a20896-ff03-7450-9c60-817a233b0a5a","text":"Which colour has the sky?","kind":"multiple_choice","choices":["red","blue","green"],"accepted":["blue"],"points":500,"tolerance":0.0},{"id":"01a20896-ff03-7450-9c60-817b9103d9cb","text":"Who wrote Jane Eyre?","kind":"text","choices":[],"accepted":["Charlotte Brontë","Brontë"],"points":500,"tolerance":0.0}]}]},"join_secret":"e0d11cc5085c86b09b24600e65b213c92745c293ecdef1ec6b437484d76dea2a","created_at_ms":1795440443614}}]
01a20897-0181-708b-b196-aa1683b58069	0	1	0	-4881581509982273996	[{"c":{"t":"created","game":"01a20897-0181-708b-b196-aa1683b58069","host":"01a20896-fe1b-70db-ac24-9f1018bb528c","code":"QJR3DF","quiz":{"title":"Golden","rounds":[{"title":"First","questions":[{"id":"01a20896-ff03-7450-9c60-81787536ed0d","text":"Which planet do we live on?","kind":"text","choices":[],"accepted":["Earth","The Earth"],"points":500,"tolerance":0.0},{"id":"01a20896-ff03-7450-9c60-8179a0d20c08","text":"How many legs has a spider?","kind":"numeric","choices":[],"accepted":["8"],"points":500,"tolerance":0.0}]},{"title":"Second","questions":[{"id":"01a20896-ff03-7450-9c60-817a233b0a5a","text":"Which colour has the sky?","kind":"multiple_choice","choices":["red","blue","green"],"accepted":["blue"],"points":500,"tolerance":0.0},{"id":"01a20896-ff03-7450-9c60-817b9103d9cb","text":"Who wrote Jane Eyre?","kind":"text","choices":[],"accepted":["Charlotte Brontë","Brontë"],"points":500,"tolerance":0.0}]}]},"join_secret":"80670b2dcee997010bbd45bc25084d9241d5ff256aa768be0635230053789bb4","created_at_ms":1795440443777}}]
01a20897-00de-7363-a16b-904d647cd826	21	1	1	552133488948257521	[{"c":{"t":"answered","p":"01a20897-00ec-778b-87b3-d8787031a32f","q":"01a20896-ff03-7450-9c60-817a233b0a5a","a":"red"},"s":[4294967300,3]}]
01a20897-00de-7363-a16b-904d647cd826	22	1	1	4449847516922085848	[{"c":{"t":"question_released","q":"01a20896-ff03-7450-9c60-817b9103d9cb"},"s":[4294967297,9]}]
01a20897-00de-7363-a16b-904d647cd826	23	1	1	6269050253173435781	[{"c":{"t":"answered","p":"01a20897-00e0-700b-97d8-afe63f6a8be5","q":"01a20896-ff03-7450-9c60-817b9103d9cb","a":"Brontë","ok":true},"s":[4294967299,4]}]
01a20897-00de-7363-a16b-904d647cd826	24	1	1	-5173074240557585313	[{"c":{"t":"answered","p":"01a20897-00e4-7518-b78b-6910f5ef2bd2","q":"01a20896-ff03-7450-9c60-817b9103d9cb","a":"bronte","ok":true},"s":[4294967298,3]}]
01a20897-00de-7363-a16b-904d647cd826	25	1	1	-8255381632782360374	[{"c":{"t":"answered","p":"01a20897-00ec-778b-87b3-d8787031a32f","q":"01a20896-ff03-7450-9c60-817b9103d9cb","a":"Austen"},"s":[4294967300,4]}]
01a20897-00de-7363-a16b-904d647cd826	26	1	1	-8072391859648752568	[{"c":{"t":"round_ended"},"s":[4294967297,10]}]
01a20897-00de-7363-a16b-904d647cd826	27	1	1	5835852874493655967	[{"c":{"t":"scores_released"},"s":[4294967297,11]}]
01a20897-00de-7363-a16b-904d647cd826	28	1	1	1015033205544625847	[{"c":{"t":"ended"},"s":[4294967297,12]}]
01a20897-0181-708b-b196-aa1683b58069	1	1	1	1790091847680626526	[{"c":{"t":"claimed","e":1,"node":"01a20896-fc85-74a9-ae5f-3aa4cb722a04"}}]
01a20897-0181-708b-b196-aa1683b58069	2	1	1	7609936556948275568	[{"c":{"t":"joined","p":"01a20897-0187-7790-bdc5-bf9622723599","n":"Ann","k":"4571d16b1e79629f637ed99c5ecb7201e556d35d59cb452e310d5c55ee0b20ae"}}]
01a20897-0181-708b-b196-aa1683b58069	3	1	1	-8149368231699157241	[{"c":{"t":"joined","p":"01a20897-0192-7407-853c-129d9326501d","n":"Bob","k":"408bc0e4b5a296036986c9368fb901cd5bedbe9e6ad8e68d236dddd396ab4c85"}}]
01a20897-0181-708b-b196-aa1683b58069	4	1	1	-9080424493367913640	[{"c":{"t":"joined","p":"01a20897-019a-7127-b68d-29430b4a2d16","n":"Čeněk & Dóra","k":"3ade4a5c20cb2f95b5a5915743ad7b0aba26f108d41b99a90a9f7031e3febc59"}}]
01a20897-0181-708b-b196-aa1683b58069	5	1	1	8755928085977615498	[{"c":{"t":"host_returned"}}]
01a20897-0181-708b-b196-aa1683b58069	6	1	1	-4670558475765877584	[{"c":{"t":"started"},"s":[4294967297,1]}]
01a20897-0181-708b-b196-aa1683b58069	7	1	1	-814131568151571481	[{"c":{"t":"question_released","q":"01a20896-ff03-7450-9c60-81787536ed0d"},"s":[4294967297,2]}]
01a20897-0181-708b-b196-aa1683b58069	8	1	1	1231033073000931776	[{"c":{"t":"answered","p":"01a20897-0187-7790-bdc5-bf9622723599","q":"01a20896-ff03-7450-9c60-81787536ed0d","a":"earth","ok":true},"s":[4294967298,1]}]
01a20897-0181-708b-b196-aa1683b58069	9	1	1	859924178095326463	[{"c":{"t":"answered","p":"01a20897-0192-7407-853c-129d9326501d","q":"01a20896-ff03-7450-9c60-81787536ed0d","a":"the globe"},"s":[4294967299,1]}]
01a20897-0181-708b-b196-aa1683b58069	10	1	1	-4786783922944022721	[{"c":{"t":"answered","p":"01a20897-019a-7127-b68d-29430b4a2d16","q":"01a20896-ff03-7450-9c60-81787536ed0d","a":"Mars"},"s":[4294967300,1]}]
01a20897-0181-708b-b196-aa1683b58069	11	1	1	3005119558527917519	[{"c":{"t":"question_released","q":"01a20896-ff03-7450-9c60-8179a0d20c08"},"s":[4294967297,3]}]
01a20897-0181-708b-b196-aa1683b58069	12	1	1	3903364594185417039	[{"c":{"t":"answered","p":"01a20897-0187-7790-bdc5-bf9622723599","q":"01a20896-ff03-7450-9c60-8179a0d20c08","a":"8","ok":true},"s":[4294967298,2]}]
01a20897-0181-708b-b196-aa1683b58069	13	1	1	5648248636118756090	[{"c":{"t":"answered","p":"01a20897-0192-7407-853c-129d9326501d","q":"01a20896-ff03-7450-9c60-8179a0d20c08","a":"08","ok":true},"s":[4294967299,2]}]
01a20897-0181-708b-b196-aa1683b58069	14	1	1	5897587728111904805	[{"c":{"t":"answered","p":"01a20897-019a-7127-b68d-29430b4a2d16","q":"01a20896-ff03-7450-9c60-8179a0d20c08","a":"9"},"s":[4294967300,2]}]
01a20897-0181-708b-b196-aa1683b58069	15	1	1	-7060646773308857769	[{"c":{"t":"round_ended"},"s":[4294967297,4]}]
01a20897-0181-708b-b196-aa1683b58069	16	1	1	5059708575605067859	[{"c":{"t":"answer_overridden","p":"01a20897-0192-7407-853c-129d9326501d","q":"01a20896-ff03-7450-9c60-81787536ed0d","ok":true},"s":[4294967297,5]}]
01a20897-0181-708b-b196-aa1683b58069	17	1	1	2537648329622790014	[{"c":{"t":"scores_released"},"s":[4294967297,6]}]
01a20897-0181-708b-b196-aa1683b58069	18	1	1	7261999899301845002	[{"c":{"t":"closed"}}]
\.


--
-- Data for Name: host; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.host (id, name, name_key, password_hash, created_at_ms) FROM stdin;
01a20896-fd80-7119-9e23-507e35a9c3c1	script	script	\N	1795440442752
01a20896-fe1b-70db-ac24-9f1018bb528c	golden	golden	$argon2id$v=19$m=19456,t=2,p=1$pj0bO0J7F+d5qioXHQUHmg$lgI7NwFPc90oSuDLGIGW8dXBOK9qD2L0D8TO6tq9nWk	1795440442907
\.


--
-- Data for Name: host_token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.host_token (hash, host_id, created_at_ms, expires_at_ms) FROM stdin;
\\xbda873a21c3daed691237a2493d35a897641bd1c1356b93783666357d0f36f83	01a20896-fe1b-70db-ac24-9f1018bb528c	1795440443116	1795483643116
\.


--
-- Data for Name: node; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.node (id, name, version, entered_at_ms, seen_at_ms, beat, games, sockets, bus_lag_us, draining) FROM stdin;
\.


--
-- Data for Name: quiz; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.quiz (id, host_id, title, round_count, question_count, body, created_at_ms, updated_at_ms) FROM stdin;
01a20896-fd80-7119-9e23-507f4b1ad0b0	01a20896-fd80-7119-9e23-507e35a9c3c1	Quizhall sample: an evening of thirty questions	3	30	{"title":"Quizhall sample: an evening of thirty questions","rounds":[{"title":"Warming up","questions":[{"id":"01a20896-fd80-7119-9e23-5080568c4270","text":"A day on this planet takes only about ten hours. Which one is it?","type":"multiple_choice","choices":["Mercury","Earth","Jupiter","Neptune"],"correctAnswers":["Jupiter"],"points":1000},{"id":"01a20896-fd80-7119-9e23-5081d0cb8d53","text":"True or false: the tall stem of a banana plant is made of wood.","type":"true_false","choices":["True","False"],"correctAnswers":["False"],"points":1000},{"id":"01a20896-fd80-7119-9e23-50826247ae3b","text":"How many keys, black and white together, does a full-size modern piano usually have?","type":"numeric","correctAnswers":["88"],"points":1000,"tolerance":0.0},{"id":"01a20896-fd80-7119-9e23-5083f6c165e3","text":"Which gas do green plants take from the air to make sugar with the help of sunlight?","type":"text","correctAnswers":["Carbon dioxide","CO2","Carbon dioxide gas"],"points":1000},{"id":"01a20896-fd80-7119-9e23-5084cd372181","text":"Which of these brass instruments is normally played with a slide?","type":"multiple_choice","choices":["Trumpet","Trombone","French horn","Tuba"],"correctAnswers":["Trombone"],"points":1000},{"id":"01a20896-fd80-7119-9e23-5085c0e092f5","text":"True or false: the skeleton of a shark is made of cartilage, not of bone.","type":"true_false","choices":["True","False"],"correctAnswers":["True"],"points":1000},{"id":"01a20896-fd80-7119-9e23-5086f0dad59e","text":"At midnight, what does Cinderella's coach turn back into?","type":"text","correctAnswers":["A pumpkin","Pumpkin","The pumpkin"],"points":1000},{"id":"01a20896-fd80-7119-9e23-50876175294b","text":"Add up the three angles of any triangle on a flat sheet of paper. How many degrees do you get?","type":"numeric","correctAnswers":["180"],"points":1000,"tolerance":0.0},{"id":"01a20896-fd80-7119-9e23-508868593d6f","text":"Which of these words reads the same from right to left?","type":"multiple_choice","choices":["Garden","Paper","Window","Level"],"correctAnswers":["Level"],"points":1000},{"id":"01a20896-fd80-7119-9e23-508984acc44a","text":"For two thousand points: blue paint and yellow paint, well stirred. Which colour is in the pot?","type":"text","correctAnswers":["Green","A green","Green paint"],"points":2000}]},{"title":"Around the world","questions":[{"id":"01a20896-fd80-7119-9e23-508a14ef7118","text":"What is the capital of Australia?","type":"text","correctAnswers":["Canberra"],"points":1000},{"id":"01a20896-fd80-7119-9e23-508b8ea77268","text":"Which ocean lies between Africa and Australia?","type":"multiple_choice","choices":["Atlantic Ocean","Arctic Ocean","Indian Ocean","Pacific Ocean"],"correctAnswers":["Indian Ocean"],"points":1000},{"id":"01a20896-fd80-7119-9e23-508ce1d9e41f","text":"How high is Mount Everest above the sea, in metres? Fifty metres off is fine.","type":"numeric","correctAnswers":["8849"],"points":1000,"tolerance":50.0},{"id":"01a20896-fd80-7119-9e23-508dd1d0140f","text":"True or false: the Sahara covers more ground than the whole of Australia.","type":"true_false","choices":["True","False"],"correctAnswers":["True"],"points":1000},{"id":"01a20896-fd80-7119-9e23-508e6325466b","text":"Which river passes through Vienna, Bratislava, Budapest and Belgrade?","type":"text","correctAnswers":["Danube","The Danube","River Danube","The River Danube","Danube River","Donau","Dunaj","Duna","Dunav"],"points":1000},{"id":"01a20896-fd80-7119-9e23-508f10c6928f","text":"Which of these dishes comes from Japan?","type":"multiple_choice","choices":["Okonomiyaki","Paella","Goulash","Tabbouleh"],"correctAnswers":["Okonomiyaki"],"points":1000},{"id":"01a20896-fd80-7119-9e23-509014e5439b","text":"True or false: Reykjavík, the capital of Iceland, lies north of the Arctic Circle.","type":"true_false","choices":["True","False"],"correctAnswers":["False"],"points":1000},{"id":"01a20896-fd80-7119-9e23-5091d758fcf3","text":"How many stars are on the flag of the European Union?","type":"numeric","correctAnswers":["12"],"points":1000,"tolerance":0.0},{"id":"01a20896-fd80-7119-9e23-509219d94e3e","text":"In which country do the walls of Machu Picchu stand?","type":"text","correctAnswers":["Peru","Perú","In Peru"],"points":1000},{"id":"01a20896-fd80-7119-9e23-5093fad23f5b","text":"For two thousand points: which strait do you cross on the short way from Spain to Morocco?","type":"multiple_choice","choices":["The Bosporus","The Strait of Gibraltar","The Bering Strait","The Strait of Hormuz"],"correctAnswers":["The Strait of Gibraltar"],"points":2000}]},{"title":"A bit of everything","questions":[{"id":"01a20896-fd80-7119-9e23-50949d353821","text":"Who painted the Mona Lisa?","type":"text","correctAnswers":["Leonardo da Vinci","Leonardo","Da Vinci","Vinci"],"points":1000},{"id":"01a20896-fd80-7119-9e23-5095015ced88","text":"How many kilometres does light travel in one second through empty space? A thousand off is fine.","type":"numeric","correctAnswers":["299792"],"points":1000,"tolerance":1000.0},{"id":"01a20896-fd80-7119-9e23-5096fd9bab95","text":"Only one of these numbers is a prime. Which?","type":"multiple_choice","choices":["51","57","59","63"],"correctAnswers":["59"],"points":1000},{"id":"01a20896-fd80-7119-9e23-509725412f11","text":"True or false: an octopus has three hearts.","type":"true_false","choices":["True","False"],"correctAnswers":["True"],"points":1000},{"id":"01a20896-fd80-7119-9e23-509836a2fa30","text":"Chemists write it Au. What is it called in everyday words?","type":"text","correctAnswers":["Gold","Aurum"],"points":1000},{"id":"01a20896-fd80-7119-9e23-509934300eb4","text":"How many bones does a grown-up usually have? Two more or fewer is fine.","type":"numeric","correctAnswers":["206"],"points":1000,"tolerance":2.0},{"id":"01a20896-fd80-7119-9e23-509a22164f23","text":"Who composed the opera The Magic Flute?","type":"multiple_choice","choices":["Giuseppe Verdi","Georges Bizet","Richard Wagner","Wolfgang Amadeus Mozart"],"correctAnswers":["Wolfgang Amadeus Mozart"],"points":1000},{"id":"01a20896-fd80-7119-9e23-509bc70a3f19","text":"True or false: in chess, the queen may jump over other pieces.","type":"true_false","choices":["True","False"],"correctAnswers":["False"],"points":1000},{"id":"01a20896-fd80-7119-9e23-509c920410de","text":"Who wrote the novel Frankenstein?","type":"text","correctAnswers":["Mary Shelley","Shelley","Mary Wollstonecraft Shelley","Mary W. Shelley"],"points":1000},{"id":"01a20896-fd80-7119-9e23-509ddbc9dc86","text":"For two thousand points: how long is a marathon, in kilometres? Half a kilometre off is fine.","type":"numeric","correctAnswers":["42.195"],"points":2000,"tolerance":0.5}]}]}	1795440442752	1795440442752
01a20896-fe1b-70db-ac24-9f11ab772ab5	01a20896-fe1b-70db-ac24-9f1018bb528c	Quizhall sample: an evening of thirty questions	3	30	{"title":"Quizhall sample: an evening of thirty questions","rounds":[{"title":"Warming up","questions":[{"id":"01a20896-fe1b-70db-ac24-9f12ffdf311c","text":"A day on this planet takes only about ten hours. Which one is it?","type":"multiple_choice","choices":["Mercury","Earth","Jupiter","Neptune"],"correctAnswers":["Jupiter"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f137b5f18fa","text":"True or false: the tall stem of a banana plant is made of wood.","type":"true_false","choices":["True","False"],"correctAnswers":["False"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f145cf73fda","text":"How many keys, black and white together, does a full-size modern piano usually have?","type":"numeric","correctAnswers":["88"],"points":1000,"tolerance":0.0},{"id":"01a20896-fe1b-70db-ac24-9f158e58a647","text":"Which gas do green plants take from the air to make sugar with the help of sunlight?","type":"text","correctAnswers":["Carbon dioxide","CO2","Carbon dioxide gas"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f1622f484f5","text":"Which of these brass instruments is normally played with a slide?","type":"multiple_choice","choices":["Trumpet","Trombone","French horn","Tuba"],"correctAnswers":["Trombone"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f1731fc327f","text":"True or false: the skeleton of a shark is made of cartilage, not of bone.","type":"true_false","choices":["True","False"],"correctAnswers":["True"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f1812b80107","text":"At midnight, what does Cinderella's coach turn back into?","type":"text","correctAnswers":["A pumpkin","Pumpkin","The pumpkin"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f1945a6afbe","text":"Add up the three angles of any triangle on a flat sheet of paper. How many degrees do you get?","type":"numeric","correctAnswers":["180"],"points":1000,"tolerance":0.0},{"id":"01a20896-fe1b-70db-ac24-9f1a65365c23","text":"Which of these words reads the same from right to left?","type":"multiple_choice","choices":["Garden","Paper","Window","Level"],"correctAnswers":["Level"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f1b40163555","text":"For two thousand points: blue paint and yellow paint, well stirred. Which colour is in the pot?","type":"text","correctAnswers":["Green","A green","Green paint"],"points":2000}]},{"title":"Around the world","questions":[{"id":"01a20896-fe1b-70db-ac24-9f1c55914157","text":"What is the capital of Australia?","type":"text","correctAnswers":["Canberra"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f1d36f2f1a2","text":"Which ocean lies between Africa and Australia?","type":"multiple_choice","choices":["Atlantic Ocean","Arctic Ocean","Indian Ocean","Pacific Ocean"],"correctAnswers":["Indian Ocean"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f1e18f21641","text":"How high is Mount Everest above the sea, in metres? Fifty metres off is fine.","type":"numeric","correctAnswers":["8849"],"points":1000,"tolerance":50.0},{"id":"01a20896-fe1b-70db-ac24-9f1fde6b382a","text":"True or false: the Sahara covers more ground than the whole of Australia.","type":"true_false","choices":["True","False"],"correctAnswers":["True"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f2035f3e407","text":"Which river passes through Vienna, Bratislava, Budapest and Belgrade?","type":"text","correctAnswers":["Danube","The Danube","River Danube","The River Danube","Danube River","Donau","Dunaj","Duna","Dunav"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f21c3e6ab89","text":"Which of these dishes comes from Japan?","type":"multiple_choice","choices":["Okonomiyaki","Paella","Goulash","Tabbouleh"],"correctAnswers":["Okonomiyaki"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f2248d39e42","text":"True or false: Reykjavík, the capital of Iceland, lies north of the Arctic Circle.","type":"true_false","choices":["True","False"],"correctAnswers":["False"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f23fd2efe18","text":"How many stars are on the flag of the European Union?","type":"numeric","correctAnswers":["12"],"points":1000,"tolerance":0.0},{"id":"01a20896-fe1b-70db-ac24-9f24543e784a","text":"In which country do the walls of Machu Picchu stand?","type":"text","correctAnswers":["Peru","Perú","In Peru"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f256dde348e","text":"For two thousand points: which strait do you cross on the short way from Spain to Morocco?","type":"multiple_choice","choices":["The Bosporus","The Strait of Gibraltar","The Bering Strait","The Strait of Hormuz"],"correctAnswers":["The Strait of Gibraltar"],"points":2000}]},{"title":"A bit of everything","questions":[{"id":"01a20896-fe1b-70db-ac24-9f26593cdabb","text":"Who painted the Mona Lisa?","type":"text","correctAnswers":["Leonardo da Vinci","Leonardo","Da Vinci","Vinci"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f2783c43259","text":"How many kilometres does light travel in one second through empty space? A thousand off is fine.","type":"numeric","correctAnswers":["299792"],"points":1000,"tolerance":1000.0},{"id":"01a20896-fe1b-70db-ac24-9f2856ff7101","text":"Only one of these numbers is a prime. Which?","type":"multiple_choice","choices":["51","57","59","63"],"correctAnswers":["59"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f2969c29d86","text":"True or false: an octopus has three hearts.","type":"true_false","choices":["True","False"],"correctAnswers":["True"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f2ae280c330","text":"Chemists write it Au. What is it called in everyday words?","type":"text","correctAnswers":["Gold","Aurum"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f2b633294b2","text":"How many bones does a grown-up usually have? Two more or fewer is fine.","type":"numeric","correctAnswers":["206"],"points":1000,"tolerance":2.0},{"id":"01a20896-fe1b-70db-ac24-9f2cdb3c51cd","text":"Who composed the opera The Magic Flute?","type":"multiple_choice","choices":["Giuseppe Verdi","Georges Bizet","Richard Wagner","Wolfgang Amadeus Mozart"],"correctAnswers":["Wolfgang Amadeus Mozart"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f2de1ce5334","text":"True or false: in chess, the queen may jump over other pieces.","type":"true_false","choices":["True","False"],"correctAnswers":["False"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f2ec4adabdd","text":"Who wrote the novel Frankenstein?","type":"text","correctAnswers":["Mary Shelley","Shelley","Mary Wollstonecraft Shelley","Mary W. Shelley"],"points":1000},{"id":"01a20896-fe1b-70db-ac24-9f2f0c7c2b4a","text":"For two thousand points: how long is a marathon, in kilometres? Half a kilometre off is fine.","type":"numeric","correctAnswers":["42.195"],"points":2000,"tolerance":0.5}]}]}	1795440442907	1795440442907
01a20896-ff03-7450-9c60-817c95806648	01a20896-fe1b-70db-ac24-9f1018bb528c	Golden	2	4	{"title":"Golden","rounds":[{"title":"First","questions":[{"id":"01a20896-ff03-7450-9c60-81787536ed0d","text":"Which planet do we live on?","type":"text","correctAnswers":["Earth","The Earth"],"points":500},{"id":"01a20896-ff03-7450-9c60-8179a0d20c08","text":"How many legs has a spider?","type":"numeric","correctAnswers":["8"],"points":500,"tolerance":0.0}]},{"title":"Second","questions":[{"id":"01a20896-ff03-7450-9c60-817a233b0a5a","text":"Which colour has the sky?","type":"multiple_choice","choices":["red","blue","green"],"correctAnswers":["blue"],"points":500},{"id":"01a20896-ff03-7450-9c60-817b9103d9cb","text":"Who wrote Jane Eyre?","type":"text","correctAnswers":["Charlotte Brontë","Brontë"],"points":500}]}]}	1795440443139	1795440443139
\.


--
-- Name: _sqlx_migrations _sqlx_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public._sqlx_migrations
    ADD CONSTRAINT _sqlx_migrations_pkey PRIMARY KEY (version);


--
-- Name: game_log game_log_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game_log
    ADD CONSTRAINT game_log_pkey PRIMARY KEY (game_id, seq);


--
-- Name: game game_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game
    ADD CONSTRAINT game_pkey PRIMARY KEY (id);


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
-- Name: node node_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.node
    ADD CONSTRAINT node_pkey PRIMARY KEY (id);


--
-- Name: quiz quiz_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quiz
    ADD CONSTRAINT quiz_pkey PRIMARY KEY (id);


--
-- Name: game_code_held; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX game_code_held ON public.game USING btree (code) WHERE (code_held = 1);


--
-- Name: game_host; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX game_host ON public.game USING btree (host_id, created_at_ms);


--
-- Name: game_live; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX game_live ON public.game USING btree (host_id) WHERE ((closed = 0) AND (phase <> 'ended'::text));


--
-- Name: game_owner; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX game_owner ON public.game USING btree (owner) WHERE (owner IS NOT NULL);


--
-- Name: game_quiz; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX game_quiz ON public.game USING btree (host_id, quiz_id, created_at_ms) WHERE (quiz_id IS NOT NULL);


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
-- Name: quiz_host; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX quiz_host ON public.quiz USING btree (host_id, updated_at_ms);


--
-- Name: game game_host_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game
    ADD CONSTRAINT game_host_id_fkey FOREIGN KEY (host_id) REFERENCES public.host(id);


--
-- Name: host_token host_token_host_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_token
    ADD CONSTRAINT host_token_host_id_fkey FOREIGN KEY (host_id) REFERENCES public.host(id) ON DELETE CASCADE;


--
-- Name: quiz quiz_host_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quiz
    ADD CONSTRAINT quiz_host_id_fkey FOREIGN KEY (host_id) REFERENCES public.host(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--


