-- Rows as a store of schema 1 wrote them: two turns, a memory made from one, and their index rows.
INSERT INTO owners (owner, tenant, user, revision, epoch, sequence) VALUES (1, 'default', 'ada', 2, 0, 1);
INSERT INTO scopes (scope, owner, agent, app, last_position, last_session) VALUES (1, 1, NULL, NULL, 2, 1);
INSERT INTO sessions VALUES (1, 1, 's1', 1, 1000, 2000, NULL, 1, 2);
INSERT INTO turns (turn, owner, scope, session, position, at, role, speaker, time_zone, id, text) VALUES
  (1, 1, 1, 1, 1, 1000, 'user', 'Ada', 'Europe/Oslo', 't1', 'I moved to Oslo'),
  (2, 1, 1, 1, 2, 2000, 'agent', NULL, NULL, 't2', 'How is it there?');
INSERT INTO names VALUES
  (1, 'words/1'), (2, 'test/1'), (3, '{"preset":"test","step":"rules/1","promptVersion":null,"model":null}');
INSERT INTO operations (operation, owner, sequence, scope, kind, memory, at, origin, session_number, round, parent, undoes, id)
  VALUES (1, 1, 1, 1, 'add', 1, 2000, 3, 1, 1, NULL, NULL, 'o1');
INSERT INTO payloads VALUES
  (1, NULL, '{"text":"lives in Oslo","evidence":[{"turn":"t1","quote":"moved to Oslo"}],"session":"s1"}');
INSERT INTO memories (memory, owner, scope, session, sequence, revision, form, status, payload, id, state)
  VALUES (1, 1, 1, 1, 1, 2, 'fact', 'live', 1, 'm1', NULL);
INSERT INTO evidence VALUES (1, 1);
INSERT INTO turn_documents (turn, owner, revision, analyser, embedder, traits, terms, vector)
  VALUES (1, 1, 1, 1, 2, 0, 'move' || char(31) || 'oslo', x'0000803f00000040');
INSERT INTO memory_documents (memory, owner, revision, analyser, embedder, traits, terms, vector)
  VALUES (1, 1, 2, 1, NULL, 0, 'live' || char(31) || 'oslo', NULL);
