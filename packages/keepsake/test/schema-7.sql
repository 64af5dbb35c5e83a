PRAGMA application_id = 1262830928;
PRAGMA user_version = 7;
CREATE TABLE owners (
  owner INTEGER PRIMARY KEY,
  tenant TEXT,
  user TEXT,
  revision INTEGER NOT NULL DEFAULT 0,
  epoch INTEGER NOT NULL DEFAULT 0,
  sequence INTEGER NOT NULL DEFAULT 0, digest TEXT, scope_changes INTEGER NOT NULL DEFAULT 0,
  UNIQUE (tenant, user)
) STRICT;
INSERT INTO owners VALUES (1, 'default', 'ana', 13, 0, 13, NULL, 2);
INSERT INTO owners VALUES (2, 'default', 'ben', 4, 0, 5, NULL, 1);
INSERT INTO owners VALUES (3, NULL, NULL, 3, 1, 2, 'scrypt:0d7721c0afd3dd55fcec922d56e873c5:15b76214a67b0b08ce636d84b3b08f9a36901836bb2667f4028bc05f30d80628', 2);
CREATE TABLE scopes (
  scope INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL REFERENCES owners,
  agent TEXT,
  app TEXT,
  last_position INTEGER NOT NULL DEFAULT 0,
  last_session INTEGER NOT NULL DEFAULT 0
, erased INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO scopes VALUES (1, 1, NULL, NULL, 4, 1, 0);
INSERT INTO scopes VALUES (2, 1, 'poet', NULL, 1, 1, 0);
INSERT INTO scopes VALUES (3, 2, NULL, NULL, 2, 1, 0);
INSERT INTO scopes VALUES (4, 3, NULL, NULL, 1, 1, 1);
CREATE TABLE sessions (
  session INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL REFERENCES scopes,
  id TEXT NOT NULL,
  number INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  ended_at INTEGER,
  first_position INTEGER NOT NULL,
  last_position INTEGER NOT NULL,
  UNIQUE (scope, id)
) STRICT;
INSERT INTO sessions VALUES (1, 1, 's1', 1, 1795889088835, 1795889090446, NULL, 1, 4);
INSERT INTO sessions VALUES (2, 2, 's1', 1, 1795889093613, 1795889093613, NULL, 1, 1);
INSERT INTO sessions VALUES (3, 3, 's1', 1, 1795889095053, 1795889095193, NULL, 1, 2);
CREATE TABLE turns (
  turn INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL,
  scope INTEGER NOT NULL REFERENCES scopes,
  session INTEGER NOT NULL,
  position INTEGER NOT NULL,
  at INTEGER NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('user', 'agent', 'other')),
  speaker TEXT,
  time_zone TEXT,
  id TEXT NOT NULL,
  text TEXT, metadata TEXT,
  UNIQUE (owner, id)
) STRICT;
INSERT INTO turns VALUES (1, 1, 1, 1, 1, 1795889088835, 'user', NULL, NULL, 't0', 'My sister Mia is allergic to peanuts.', '{"n":1}');
INSERT INTO turns VALUES (2, 1, 1, 1, 2, 1795889090115, 'user', NULL, NULL, 't1', 'I live in Rome.', '{"n":2}');
INSERT INTO turns VALUES (3, 1, 1, 1, 3, 1795889090403, 'user', NULL, NULL, 't2', 'I moved to Paris last week.', '{"n":3}');
INSERT INTO turns VALUES (4, 1, 1, 1, 4, 1795889090446, 'user', NULL, NULL, 't3', '我叫安娜', '{"n":4}');
INSERT INTO turns VALUES (5, 1, 2, 2, 1, 1795889093613, 'user', NULL, NULL, 't4', 'I love sonnets.', '{"n":5}');
INSERT INTO turns VALUES (6, 2, 3, 3, 1, 1795889095053, 'user', NULL, NULL, 't5', 'I have a dog called Rex.', '{"n":6}');
INSERT INTO turns VALUES (7, 2, 3, 3, 2, 1795889095193, 'user', NULL, NULL, 't6', 'I work as a carpenter.', '{"n":7}');
CREATE TABLE names (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO names VALUES (1, 'keepsake/terms-3;unicode-17.0');
INSERT INTO names VALUES (2, 'keepsake/words-2');
INSERT INTO names VALUES (3, '{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null}');
INSERT INTO names VALUES (4, '{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null}');
INSERT INTO names VALUES (5, '{"preset":"keepsake","step":"recall","promptVersion":null,"model":null}');
CREATE TABLE operations (
  operation INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  scope INTEGER NOT NULL REFERENCES scopes,
  kind TEXT NOT NULL,
  memory INTEGER,
  at INTEGER NOT NULL,
  origin INTEGER NOT NULL REFERENCES names,
  session_number INTEGER NOT NULL,
  round INTEGER NOT NULL,
  parent TEXT,
  undoes TEXT,
  id TEXT NOT NULL,
  UNIQUE (owner, id)
) STRICT;
INSERT INTO operations VALUES (1, 1, 1, 1, 'add', 1, 1795889091090, 3, 1, 4, NULL, NULL, '01a22354-d212-71f2-a93b-7e59c763d2ad');
INSERT INTO operations VALUES (2, 1, 2, 1, 'add', 2, 1795889091090, 3, 1, 4, NULL, NULL, '01a22354-d213-7590-a602-865be64db601');
INSERT INTO operations VALUES (3, 1, 3, 1, 'add', 3, 1795889091090, 3, 1, 4, NULL, NULL, '01a22354-d213-7590-a602-8f1f63a401ca');
INSERT INTO operations VALUES (4, 1, 4, 1, 'add', 4, 1795889095197, 3, 1, 4, NULL, NULL, '01a22354-e21d-72a6-a977-a90fb6c96577');
INSERT INTO operations VALUES (5, 1, 5, 1, 'add', 5, 1795889095372, 4, 1, 4, NULL, NULL, '01a22354-e2cd-7023-ad7a-b7fa8fc285ac');
INSERT INTO operations VALUES (6, 1, 6, 1, 'add', 6, 1795889095372, 4, 1, 4, NULL, NULL, '01a22354-e2cd-7023-ad7a-bcdf4a7491a2');
INSERT INTO operations VALUES (7, 1, 7, 1, 'add', 7, 1795889095372, 4, 1, 4, NULL, NULL, '01a22354-e2cd-7023-ad7a-c6f70d6b6f6a');
INSERT INTO operations VALUES (8, 1, 8, 1, 'modify', 7, 1795889095372, 4, 1, 4, NULL, NULL, '01a22354-e2d0-713d-b841-007f2a8c0347');
INSERT INTO operations VALUES (9, 1, 9, 1, 'add', 8, 1795889095372, 4, 1, 4, NULL, NULL, '01a22354-e2d1-745d-b709-f677bdfad885');
INSERT INTO operations VALUES (10, 1, 10, 1, 'add', 9, 1795889095372, 4, 1, 4, NULL, NULL, '01a22354-e2d7-745d-b95b-8730504967f4');
INSERT INTO operations VALUES (11, 2, 1, 3, 'add', 10, 1795889095375, 3, 1, 2, NULL, NULL, '01a22354-e2cf-7131-aa8d-6aa78c9debc2');
INSERT INTO operations VALUES (12, 2, 2, 3, 'add', 11, 1795889095375, 3, 1, 2, NULL, NULL, '01a22354-e2cf-7131-aa8d-73a7d07d4c09');
INSERT INTO operations VALUES (13, 2, 3, 3, 'add', 12, 1795889095387, 4, 1, 2, NULL, NULL, '01a22354-e2dd-72b7-9785-1859ea8645e5');
INSERT INTO operations VALUES (14, 2, 4, 3, 'add', 13, 1795889095387, 4, 1, 2, NULL, NULL, '01a22354-e2de-750f-b404-e5a044a110be');
INSERT INTO operations VALUES (15, 1, 11, 2, 'add', 14, 1795889095400, 3, 1, 1, NULL, NULL, '01a22354-e2e9-743f-a7e6-387aea56e618');
INSERT INTO operations VALUES (16, 1, 12, 2, 'add', 15, 1795889095404, 4, 1, 1, NULL, NULL, '01a22354-e2ed-74f6-87c5-6e4b908d1a26');
INSERT INTO operations VALUES (17, 3, 1, 4, 'add', 16, 1795889095410, 3, 1, 1, NULL, NULL, '01a22354-e2f2-73cb-80f8-001b20a55aa1');
INSERT INTO operations VALUES (18, 3, 2, 4, 'add', 17, 1795889095413, 4, 1, 1, NULL, NULL, '01a22354-e2f5-7523-adc3-047bb3efe302');
INSERT INTO operations VALUES (19, 1, 13, 1, 'reinforce', NULL, 1795889096161, 5, 1, 4, NULL, NULL, '01a22354-e5f3-7008-8c2a-d889e14fba40');
INSERT INTO operations VALUES (20, 2, 5, 3, 'reinforce', NULL, 1795889096176, 5, 1, 2, NULL, NULL, '01a22354-e5f3-7008-8c2a-dd51ef18e106');
CREATE TABLE touched (
  operation INTEGER NOT NULL,
  place INTEGER NOT NULL,
  memory INTEGER NOT NULL,
  rank TEXT NOT NULL CHECK (rank IN ('first', 'second')), tally TEXT,
  PRIMARY KEY (operation, place)
) STRICT, WITHOUT ROWID;
INSERT INTO touched VALUES (19, 0, 1, 'first', '{"first":3,"second":0,"rounds":[4],"lastSession":1,"lastAt":1795889096161}');
INSERT INTO touched VALUES (19, 1, 6, 'second', '{"first":0,"second":3,"rounds":[],"secondAt":4,"lastSession":0,"lastAt":0}');
INSERT INTO touched VALUES (20, 0, 10, 'first', '{"first":3,"second":0,"rounds":[2],"lastSession":1,"lastAt":1795889096176}');
INSERT INTO touched VALUES (20, 1, 12, 'second', '{"first":0,"second":3,"rounds":[],"secondAt":2,"lastSession":0,"lastAt":0}');
CREATE TABLE payloads (
  operation INTEGER PRIMARY KEY,
  before TEXT,
  after TEXT NOT NULL
) STRICT;
INSERT INTO payloads VALUES (1, NULL, '{"form":"utterance","label":"user-stated","evidence":[{"turn":"t0","quote":null}],"learnedAt":1795889088835,"validFrom":1795889088835,"session":"s1","sessionNumber":1,"round":1,"signals":{"arousal":3.099686409282685,"surprise":5118.227575844319,"importance":4.446123180215284},"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795889088835},"origin":{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null},"metadata":{"n":1}}');
INSERT INTO payloads VALUES (2, NULL, '{"form":"utterance","label":"user-stated","evidence":[{"turn":"t1","quote":null}],"learnedAt":1795889090115,"validFrom":1795889090115,"session":"s1","sessionNumber":1,"round":2,"signals":{"arousal":3.004001621301793,"surprise":804.8973457607483,"importance":3.7418484717180798},"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795889090115},"origin":{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null},"metadata":{"n":2}}');
INSERT INTO payloads VALUES (3, NULL, '{"form":"utterance","label":"user-stated","evidence":[{"turn":"t2","quote":null}],"learnedAt":1795889090403,"validFrom":1795889090403,"session":"s1","sessionNumber":1,"round":3,"signals":{"arousal":2.9090111871531317,"surprise":811.659290711273,"importance":4.180487541846122},"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795889090403},"origin":{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null},"metadata":{"n":3}}');
INSERT INTO payloads VALUES (4, NULL, '{"form":"utterance","label":"user-stated","evidence":[{"turn":"t3","quote":null}],"learnedAt":1795889090446,"validFrom":1795889090446,"session":"s1","sessionNumber":1,"round":4,"signals":{"arousal":3.0259453540525127,"surprise":1558.5385713648097,"importance":3.061299225510428},"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795889090446},"origin":{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null},"metadata":{"n":4}}');
INSERT INTO payloads VALUES (5, NULL, '{"type":"relationship","text":"The user''s sister is called Mia.","key":"siblings","value":"sister Mia","label":"user-stated","evidence":[{"turn":"t0","quote":"My sister Mia is allergic to peanuts."}],"learnedAt":1795889088835,"validFrom":1795889088835,"session":"s1","sessionNumber":1,"round":4,"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795889088835},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":1}}');
INSERT INTO payloads VALUES (6, NULL, '{"type":"relationship","text":"The user''s sister Mia is allergic to peanuts.","key":"siblings","value":"sister is allergic to peanuts","label":"user-stated","evidence":[{"turn":"t0","quote":"My sister Mia is allergic to peanuts."}],"learnedAt":1795889088835,"validFrom":1795889088835,"session":"s1","sessionNumber":1,"round":4,"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795889088835},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":1}}');
INSERT INTO payloads VALUES (7, NULL, '{"type":"persona","text":"The user lives in Rome.","key":"residence","value":"Rome","label":"user-stated","evidence":[{"turn":"t1","quote":"I live in Rome."}],"learnedAt":1795889090115,"validFrom":1795889090115,"session":"s1","sessionNumber":1,"round":4,"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795889090115},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":2}}');
INSERT INTO payloads VALUES (8, '{"validUntil":null}', '{"validUntil":1795889090403}');
INSERT INTO payloads VALUES (9, NULL, '{"type":"persona","text":"The user moved to Paris last week.","key":"residence","value":"Paris","label":"user-stated","evidence":[{"turn":"t2","quote":"I moved to Paris last week."}],"learnedAt":1795889090403,"validFrom":1795889090403,"session":"s1","sessionNumber":1,"round":4,"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795889090403},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":3}}');
INSERT INTO payloads VALUES (10, NULL, '{"type":"persona","text":"用户叫安娜。","key":"name","value":"安娜","label":"user-stated","evidence":[{"turn":"t3","quote":"我叫安娜"}],"learnedAt":1795889090446,"validFrom":1795889090446,"session":"s1","sessionNumber":1,"round":4,"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795889090446},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":4}}');
INSERT INTO payloads VALUES (11, NULL, '{"form":"utterance","label":"user-stated","evidence":[{"turn":"t5","quote":null}],"learnedAt":1795889095053,"validFrom":1795889095053,"session":"s1","sessionNumber":1,"round":1,"signals":{"arousal":3.079044272462798,"surprise":966.527280911465,"importance":4.050084185981199},"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795889095053},"origin":{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null},"metadata":{"n":6}}');
INSERT INTO payloads VALUES (12, NULL, '{"form":"utterance","label":"user-stated","evidence":[{"turn":"t6","quote":null}],"learnedAt":1795889095193,"validFrom":1795889095193,"session":"s1","sessionNumber":1,"round":2,"signals":{"arousal":2.844364970258988,"surprise":530.4064223558406,"importance":3.351452181274423},"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795889095193},"origin":{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null},"metadata":{"n":7}}');
INSERT INTO payloads VALUES (13, NULL, '{"type":"persona","text":"The user has a dog called Rex.","key":"pets","value":"dog Rex","label":"user-stated","evidence":[{"turn":"t5","quote":"I have a dog called Rex."}],"learnedAt":1795889095053,"validFrom":1795889095053,"session":"s1","sessionNumber":1,"round":2,"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795889095053},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":6}}');
INSERT INTO payloads VALUES (14, NULL, '{"type":"persona","text":"The user works as a carpenter.","key":"occupation","value":"carpenter","label":"user-stated","evidence":[{"turn":"t6","quote":"I work as a carpenter."}],"learnedAt":1795889095193,"validFrom":1795889095193,"session":"s1","sessionNumber":1,"round":2,"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795889095193},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":7}}');
INSERT INTO payloads VALUES (15, NULL, '{"form":"utterance","label":"user-stated","evidence":[{"turn":"t4","quote":null}],"learnedAt":1795889093613,"validFrom":1795889093613,"session":"s1","sessionNumber":1,"round":1,"signals":{"arousal":3.3562151628980925,"surprise":3250.997321869685,"importance":3.4185730691943075},"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795889093613},"origin":{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null},"metadata":{"n":5}}');
INSERT INTO payloads VALUES (16, NULL, '{"type":"persona","text":"The user loves sonnets.","key":"likes","value":"sonnets","label":"user-stated","evidence":[{"turn":"t4","quote":"I love sonnets."}],"learnedAt":1795889093613,"validFrom":1795889093613,"session":"s1","sessionNumber":1,"round":1,"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795889093613},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":5}}');
CREATE TABLE memories (
  memory INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL,
  scope INTEGER NOT NULL REFERENCES scopes,
  session INTEGER,
  sequence INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  form TEXT NOT NULL,
  status TEXT NOT NULL,
  payload INTEGER,
  id TEXT NOT NULL,
  state TEXT, name TEXT,
  UNIQUE (owner, id),
  CHECK ((state IS NULL) <> (payload IS NULL))
) STRICT;
INSERT INTO memories VALUES (1, 1, 1, 1, 13, 13, 'utterance', 'live', NULL, '01a22354-d212-71f2-a93b-7938f64da024', '{"form":"utterance","label":"user-stated","evidence":[{"turn":"t0","quote":null}],"learnedAt":1795889088835,"validFrom":1795889088835,"session":"s1","sessionNumber":1,"round":1,"signals":{"arousal":3.099686409282685,"surprise":5118.227575844319,"importance":4.446123180215284},"use":{"first":3,"second":0,"rounds":[4],"lastSession":1,"lastAt":1795889096161},"origin":{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null},"metadata":{"n":1}}', NULL);
INSERT INTO memories VALUES (2, 1, 1, 1, 2, 6, 'utterance', 'live', 2, '01a22354-d213-7590-a602-83b21517e7ee', NULL, NULL);
INSERT INTO memories VALUES (3, 1, 1, 1, 3, 6, 'utterance', 'live', 3, '01a22354-d213-7590-a602-8a3fd7aa6c31', NULL, NULL);
INSERT INTO memories VALUES (4, 1, 1, 1, 4, 9, 'utterance', 'live', 4, '01a22354-e21d-72a6-a977-a4c8f54c942c', NULL, NULL);
INSERT INTO memories VALUES (5, 1, 1, 1, 5, 11, 'fact', 'live', 5, '01a22354-e2cd-7023-ad7a-b2e58321a31b', NULL, NULL);
INSERT INTO memories VALUES (6, 1, 1, 1, 13, 13, 'fact', 'live', NULL, '01a22354-e2cd-7023-ad7a-baaff5a10414', '{"type":"relationship","text":"The user''s sister Mia is allergic to peanuts.","key":"siblings","value":"sister is allergic to peanuts","label":"user-stated","evidence":[{"turn":"t0","quote":"My sister Mia is allergic to peanuts."}],"learnedAt":1795889088835,"validFrom":1795889088835,"session":"s1","sessionNumber":1,"round":4,"use":{"first":0,"second":3,"rounds":[],"lastSession":1,"lastAt":1795889088835,"secondAt":4},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":1}}', NULL);
INSERT INTO memories VALUES (7, 1, 1, 1, 8, 11, 'fact', 'live', NULL, '01a22354-e2cd-7023-ad7a-c1ca7b6c583f', '{"type":"persona","text":"The user lives in Rome.","key":"residence","value":"Rome","label":"user-stated","evidence":[{"turn":"t1","quote":"I live in Rome."}],"learnedAt":1795889090115,"validFrom":1795889090115,"validUntil":1795889090403,"session":"s1","sessionNumber":1,"round":4,"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795889090115},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":2}}', NULL);
INSERT INTO memories VALUES (8, 1, 1, 1, 9, 11, 'fact', 'live', 9, '01a22354-e2d0-713d-b841-051f37c3789a', NULL, NULL);
INSERT INTO memories VALUES (9, 1, 1, 1, 10, 11, 'fact', 'live', 10, '01a22354-e2d7-745d-b95b-811a88a4d8ca', NULL, NULL);
INSERT INTO memories VALUES (10, 2, 3, 3, 5, 4, 'utterance', 'live', NULL, '01a22354-e2cf-7131-aa8d-65ba448e4081', '{"form":"utterance","label":"user-stated","evidence":[{"turn":"t5","quote":null}],"learnedAt":1795889095053,"validFrom":1795889095053,"session":"s1","sessionNumber":1,"round":1,"signals":{"arousal":3.079044272462798,"surprise":966.527280911465,"importance":4.050084185981199},"use":{"first":3,"second":0,"rounds":[2],"lastSession":1,"lastAt":1795889096176},"origin":{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null},"metadata":{"n":6}}', NULL);
INSERT INTO memories VALUES (11, 2, 3, 3, 2, 3, 'utterance', 'live', 12, '01a22354-e2cf-7131-aa8d-6d78f4843adb', NULL, NULL);
INSERT INTO memories VALUES (12, 2, 3, 3, 5, 4, 'fact', 'live', NULL, '01a22354-e2dc-70f0-9788-5d90f911a6bb', '{"type":"persona","text":"The user has a dog called Rex.","key":"pets","value":"dog Rex","label":"user-stated","evidence":[{"turn":"t5","quote":"I have a dog called Rex."}],"learnedAt":1795889095053,"validFrom":1795889095053,"session":"s1","sessionNumber":1,"round":2,"use":{"first":0,"second":3,"rounds":[],"lastSession":1,"lastAt":1795889095053,"secondAt":2},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":6}}', NULL);
INSERT INTO memories VALUES (13, 2, 3, 3, 4, 3, 'fact', 'live', 14, '01a22354-e2de-750f-b404-e0103203a4c1', NULL, NULL);
INSERT INTO memories VALUES (14, 1, 2, 2, 11, 12, 'utterance', 'live', 15, '01a22354-e2e9-743f-a7e6-374f4e4836a7', NULL, NULL);
INSERT INTO memories VALUES (15, 1, 2, 2, 12, 12, 'fact', 'live', 16, '01a22354-e2ed-74f6-87c5-6a394da51671', NULL, NULL);
INSERT INTO memories VALUES (16, 3, 4, NULL, 1, 3, 'fact', 'erased', NULL, '01a22354-e2f2-73cb-80f7-fec9c1ba1106', '{"status":"erased"}', NULL);
INSERT INTO memories VALUES (17, 3, 4, NULL, 2, 3, 'fact', 'erased', NULL, '01a22354-e2f5-7523-adc3-00169fd030a3', '{"status":"erased"}', NULL);
CREATE TABLE evidence (
  turn INTEGER NOT NULL,
  memory INTEGER NOT NULL,
  PRIMARY KEY (turn, memory)
) STRICT, WITHOUT ROWID;
INSERT INTO evidence VALUES (1, 1);
INSERT INTO evidence VALUES (2, 2);
INSERT INTO evidence VALUES (3, 3);
INSERT INTO evidence VALUES (4, 4);
INSERT INTO evidence VALUES (1, 5);
INSERT INTO evidence VALUES (1, 6);
INSERT INTO evidence VALUES (2, 7);
INSERT INTO evidence VALUES (3, 8);
INSERT INTO evidence VALUES (4, 9);
INSERT INTO evidence VALUES (6, 10);
INSERT INTO evidence VALUES (7, 11);
INSERT INTO evidence VALUES (6, 12);
INSERT INTO evidence VALUES (7, 13);
INSERT INTO evidence VALUES (5, 14);
INSERT INTO evidence VALUES (5, 15);
CREATE TABLE turn_documents (
  turn INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  analyser INTEGER REFERENCES names,
  embedder INTEGER REFERENCES names,
  traits INTEGER NOT NULL,
  terms TEXT,
  vector BLOB
) STRICT;
INSERT INTO turn_documents VALUES (1, 1, 1, 1, 2, 48, CAST(x'7369737465721f6d69611f616c6c6572671f7065616e7574' AS TEXT), x'0000803f000000c0');
INSERT INTO turn_documents VALUES (2, 1, 2, 1, 2, 48, CAST(x'6c6976651f726f6d65' AS TEXT), x'0000803f000000c0');
INSERT INTO turn_documents VALUES (3, 1, 3, 1, 2, 52, CAST(x'6d6f76651f706172691f6c6173741f7765656b' AS TEXT), x'0000803f000000c0');
INSERT INTO turn_documents VALUES (4, 1, 5, 1, 2, 32, CAST(x'e68891e58fab1fe58fab1fe58fabe5ae891fe5ae891fe5ae89e5a89c1fe5a89c' AS TEXT), x'0000803f000000c0');
INSERT INTO turn_documents VALUES (5, 1, 8, 1, 2, 32, CAST(x'6c6f76651f736f6e6e6574' AS TEXT), x'0000803f000000c0');
INSERT INTO turn_documents VALUES (6, 2, 1, 1, 2, 48, CAST(x'646f671f63616c6c1f726578' AS TEXT), x'0000803f000000c0');
INSERT INTO turn_documents VALUES (7, 2, 2, 1, 2, 32, CAST(x'776f726b1f63617270656e74' AS TEXT), x'0000803f000000c0');
CREATE TABLE memory_documents (
  memory INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  analyser INTEGER REFERENCES names,
  embedder INTEGER REFERENCES names,
  traits INTEGER NOT NULL,
  terms TEXT,
  vector BLOB
) STRICT;
INSERT INTO memory_documents VALUES (5, 1, 11, 1, 2, 16, CAST(x'757365721f7369737465721f63616c6c1f6d69611f7369626c' AS TEXT), x'0000803f000000c0');
INSERT INTO memory_documents VALUES (6, 1, 11, 1, 2, 16, CAST(x'757365721f7369737465721f6d69611f616c6c6572671f7065616e75741f7369626c' AS TEXT), x'0000803f000000c0');
INSERT INTO memory_documents VALUES (7, 1, 11, 1, 2, 16, CAST(x'757365721f6c6976651f726f6d651f72657369641f686f6d651f6c697665' AS TEXT), x'0000803f000000c0');
INSERT INTO memory_documents VALUES (8, 1, 11, 1, 2, 20, CAST(x'757365721f6d6f76651f706172691f6c6173741f7765656b1f72657369641f686f6d651f6c697665' AS TEXT), x'0000803f000000c0');
INSERT INTO memory_documents VALUES (9, 1, 11, 1, 2, 0, CAST(x'e794a81fe794a8e688b71fe688b71fe688b7e58fab1fe58fab1fe58fabe5ae891fe5ae891fe5ae89e5a89c1fe5a89c1fe5a7931fe5a793e5908d1fe5908d1fe5908d1fe5908de5ad971fe5ad97' AS TEXT), x'0000803f000000c0');
INSERT INTO memory_documents VALUES (12, 2, 3, 1, 2, 16, CAST(x'757365721f646f671f63616c6c1f7265781f706574' AS TEXT), x'0000803f000000c0');
INSERT INTO memory_documents VALUES (13, 2, 3, 1, 2, 0, CAST(x'757365721f776f726b1f63617270656e741f6f636375701f6a6f621f776f726b' AS TEXT), x'0000803f000000c0');
INSERT INTO memory_documents VALUES (15, 1, 12, 1, 2, 0, CAST(x'757365721f6c6f76651f736f6e6e65741f6c696b65' AS TEXT), x'0000803f000000c0');
CREATE TABLE progress (
  scope INTEGER NOT NULL REFERENCES scopes,
  branch TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (scope, branch)
) STRICT, WITHOUT ROWID;
INSERT INTO progress VALUES (1, 'facts', 4);
INSERT INTO progress VALUES (1, 'utterances', 4);
INSERT INTO progress VALUES (2, 'facts', 1);
INSERT INTO progress VALUES (2, 'utterances', 1);
INSERT INTO progress VALUES (3, 'facts', 2);
INSERT INTO progress VALUES (3, 'utterances', 2);
CREATE TABLE erasures (
  erasure INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  owner INTEGER NOT NULL REFERENCES owners,
  at INTEGER NOT NULL,
  turns INTEGER NOT NULL,
  memories INTEGER NOT NULL,
  payloads INTEGER NOT NULL,
  documents INTEGER NOT NULL,
  scrubbed_at INTEGER
) STRICT;
INSERT INTO erasures VALUES (1, 'e1', 3, 5, 1, 2, 2, 2, NULL);
CREATE TABLE jobs (
  job INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  owner INTEGER NOT NULL,
  scope INTEGER NOT NULL,
  session TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('consolidate', 'end-session', 'read-segment')),
  branch TEXT,
  from_position INTEGER,
  to_position INTEGER,
  state TEXT NOT NULL CHECK (state IN ('queued', 'parked')),
  attempts INTEGER NOT NULL,
  at INTEGER NOT NULL,
  reason TEXT,
  answer TEXT
, due_at INTEGER NOT NULL DEFAULT 0, home TEXT) STRICT;
CREATE TABLE claims (
  owner INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  holder TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT;
CREATE TABLE records (
  collection TEXT NOT NULL,
  key TEXT NOT NULL,
  owner INTEGER,
  version TEXT NOT NULL,
  expires_at INTEGER,
  value TEXT NOT NULL,
  PRIMARY KEY (collection, key)
) STRICT, WITHOUT ROWID;
INSERT INTO records VALUES ('keys', 'k1', NULL, 'c193cb12-110c-473a-bae9-5ea2f451ba9e', NULL, '{"a":1}');
CREATE TABLE images (
  row INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL,
  part INTEGER NOT NULL,
  image TEXT NOT NULL,
  parts INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  UNIQUE (owner, part)
) STRICT;
CREATE INDEX scopes_of_owner ON scopes (owner);
CREATE UNIQUE INDEX turns_in_order ON turns (scope, position);
CREATE UNIQUE INDEX operations_in_order ON operations (owner, sequence);
CREATE INDEX operations_of_memory ON operations (memory) WHERE memory IS NOT NULL;
CREATE INDEX operations_of_parent ON operations (owner, parent) WHERE parent IS NOT NULL;
CREATE INDEX touched_of_memory ON touched (memory);
CREATE TRIGGER operations_are_never_changed BEFORE UPDATE ON operations
BEGIN SELECT RAISE(ABORT, 'the operation log is append-only'); END;
CREATE TRIGGER touched_are_never_changed BEFORE UPDATE ON touched
BEGIN SELECT RAISE(ABORT, 'the operation log is append-only'); END;
CREATE INDEX memories_by_revision ON memories (owner, revision);
CREATE INDEX evidence_of_memory ON evidence (memory);
CREATE INDEX turn_documents_by_revision ON turn_documents (owner, revision);
CREATE INDEX memory_documents_by_revision ON memory_documents (owner, revision);
CREATE INDEX erasures_to_scrub ON erasures (erasure) WHERE scrubbed_at IS NULL;
CREATE INDEX jobs_of_scope ON jobs (scope);
CREATE UNIQUE INDEX memories_by_name ON memories (scope, name) WHERE name IS NOT NULL;
CREATE INDEX records_of_owner ON records (owner) WHERE owner IS NOT NULL;
CREATE INDEX records_by_expiry ON records (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX reinforcements_of_scope ON operations (scope, sequence) WHERE kind = 'reinforce';
CREATE TRIGGER operations_are_never_deleted BEFORE DELETE ON operations WHEN old.kind <> 'reinforce'
BEGIN SELECT RAISE(ABORT, 'the operation log is append-only'); END;
CREATE TRIGGER touched_are_never_deleted BEFORE DELETE ON touched
WHEN EXISTS (SELECT 1 FROM operations WHERE operation = old.operation)
BEGIN SELECT RAISE(ABORT, 'the operation log is append-only'); END;
CREATE TRIGGER scopes_made_are_counted AFTER INSERT ON scopes
BEGIN UPDATE owners SET scope_changes = scope_changes + 1 WHERE owner = new.owner; END;
CREATE TRIGGER scopes_changed_are_counted AFTER UPDATE OF owner, agent, app, erased ON scopes
BEGIN UPDATE owners SET scope_changes = scope_changes + 1 WHERE owner IN (old.owner, new.owner); END;
CREATE TRIGGER scopes_removed_are_counted AFTER DELETE ON scopes
BEGIN UPDATE owners SET scope_changes = scope_changes + 1 WHERE owner = old.owner; END;
