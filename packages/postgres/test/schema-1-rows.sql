-- What a person had in a schema of version 1.
INSERT INTO names (name) VALUES ('words/1'), ('test/1'), ('{"preset":"test","step":"sample/1","promptVersion":null,"model":null}');
INSERT INTO people (tenant, person) VALUES ('default', 'ada');
INSERT INTO owners (owner, tenant, person, revision, sequence, turns) VALUES (1, 'default', 'ada', 3, 2, 2);
INSERT INTO scopes (owner, last_position, last_session) VALUES (1, 2, 1);
INSERT INTO sessions (owner, scope, number, id, started_at, last_at, first_position, last_position)
  VALUES (1, 1, 1, 's1', 1000, 2000, 1, 2);
INSERT INTO turns (owner, scope, position, turn, session, at, role, speaker, id, text, revision, analyser, embedder, traits, terms, vector)
  VALUES (1, 1, 1, 1, 1, 1000, 'user', 'Ada', 't1', 'I moved to Oslo', 1, 1, 2, 5, E'move\x1foslo', '\x0000803f00000040'),
    (1, 1, 2, 2, 1, 2000, 'agent', NULL, 't2', E'How is it\x100 there?', 1, NULL, NULL, 0, NULL, NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, id)
  VALUES (1, 1, 1, 'add', 1, '{}', '', 2000, 3, 1, 1, 'o1'), (1, 2, 1, 'reinforce', NULL, '{1}', '1', 2500, 3, 1, 2, 'o2');
INSERT INTO payloads (owner, sequence, after)
  VALUES (1, 1, '{"text":"lives in Oslo","evidence":[{"turn":"t1","quote":"I moved to Oslo"}],"session":"s1","round":1}');
INSERT INTO memories (owner, memory, scope, session, sequence, revision, form, type, status, id, state)
  VALUES (1, 1, 1, 's1', 2, 3, 'fact', 'event', 'live', 'm1',
    '{"text":"lives in Oslo","evidence":[{"turn":"t1","quote":"I moved to Oslo"}],"session":"s1","round":1,"use":{"first":1,"second":0,"rounds":[2],"lastSession":1,"lastAt":2500}}');
INSERT INTO memory_documents (owner, memory, revision, analyser, embedder, traits, terms) VALUES (1, 1, 2, 1, NULL, 0, E'live\x1foslo');
INSERT INTO evidence (owner, turn, memory) VALUES (1, 1, 1);
INSERT INTO progress (owner, scope, branch, position) VALUES (1, 1, 'pairs', 2);
INSERT INTO jobs (owner, id, scope, kind, state, attempts, at) VALUES (1, 'j1', 1, 'consolidate', 'queued', 0, 3000);
