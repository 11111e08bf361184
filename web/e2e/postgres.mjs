// A PostgreSQL server for a test: on loopback, on a free port, removed with the test.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const USER = 'owner';
const PASSWORD = 'open-sesame-7';
const PROGRAMS = ['initdb', 'postgres', 'psql'];

/** The folder of the server's programs; without it a test would show nothing. */
function programs() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort().reverse() : [];
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...(process.env.PATH ?? '').split(delimiter)];
  const found = folders.find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))));
  if (!found) throw new Error('there is no PostgreSQL; install postgresql');
  return found;
}

/** The user that the server runs as, where it must not be the superuser. */
function other() {
  if (process.getuid() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n').map((line) => line.split(':'));
  const [, , uid, gid] = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  return { uid: Number(uid), gid: Number(gid) };
}

const freePort = () =>
  new Promise((done) => {
    const listener = createServer().listen(0, '127.0.0.1', () => {
      const { port } = listener.address();
      listener.close(() => done(port));
    });
  });

/** A running server: its address with user and password, a way to run SQL, and its end. */
export async function database() {
  const [bin, as, folder, port] = [programs(), other(), mkdtempSync(join(tmpdir(), 'haggle-pg-')), await freePort()];
  const [data, secret] = [join(folder, 'data'), join(folder, 'password')];
  writeFileSync(secret, PASSWORD);
  if (as) for (const path of [folder, secret]) chownSync(path, as.uid, as.gid);
  execFileSync(join(bin, 'initdb'), ['--auth=scram-sha-256', '--encoding=UTF8', '--no-locale', '--no-sync', '-U', USER, `--pwfile=${secret}`, '-D', data], { cwd: folder, stdio: 'pipe', ...as });
  const settings = ['unix_socket_directories=', 'fsync=off', 'autovacuum=off'].flatMap((setting) => ['-c', setting]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-h', '127.0.0.1', '-p', String(port), ...settings], { cwd: folder, stdio: 'ignore', ...as });
  process.on('exit', () => server.kill('SIGKILL'));
  const words = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-h', '127.0.0.1', '-p', String(port), '-U', USER, '-d', 'postgres', '-f', '-'];
  const run = (sql) => spawnSync(join(bin, 'psql'), words, { input: sql, encoding: 'utf8', env: { ...process.env, PGPASSWORD: PASSWORD } });
  const sql = (text) => {
    const { status, stdout, stderr } = run(text);
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  for (const end = Date.now() + 60_000; run('SELECT 1').status !== 0; ) {
    if (Date.now() > end) throw new Error('PostgreSQL does not start');
    await new Promise((done) => setTimeout(done, 100));
  }
  const stop = async () => {
    const ended = new Promise((done) => server.once('exit', done));
    server.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true });
  };
  const address = (password = PASSWORD) => `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`;
  return { address, sql, stop };
}
