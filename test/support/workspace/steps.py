# Takes the file steps of one part of a sequence, in the working folder: the same by hand and in a layer.
# steps.py FILE PART: FILE has for each folder the steps of all its parts.
import errno, json, os, shutil, stat, sys

def folders_of(at):
    return [os.path.join(above, name) for above, names, _ in os.walk(at) for name in names] + [at]

# As `mv` does it between two disks; only what can be done in every way.
def move(at, to):
    if stat.S_ISDIR(os.lstat(at).st_mode):
        files = [os.path.join(above, name) for above, _, names in os.walk(at) for name in names]
        if os.path.lexists(to) or (to + '/').startswith(at + '/') or not os.access(os.path.dirname(to) or '.', os.W_OK):
            return
        if any(not os.lstat(one).st_mode & 0o200 or os.path.islink(one) for one in folders_of(at)):
            return
        if any(os.lstat(one).st_nlink > 1 for one in files):
            return
    try:
        os.rename(at, to)
    except OSError as error:
        if error.errno != errno.EXDEV: raise
        shutil.copytree(at, to, symlinks=True)
        shutil.rmtree(at)

# In one order, so that what a closed folder stops is stopped at the same place.
def remove(at):
    if stat.S_ISDIR(os.lstat(at).st_mode):
        for name in sorted(os.listdir(at)): remove(os.path.join(at, name))
        os.rmdir(at)
    else:
        os.remove(at)

def change_mode(at, mode):
    entry = os.lstat(at).st_mode
    if not stat.S_ISLNK(entry): os.chmod(at, mode | 0o500 if stat.S_ISDIR(entry) else mode)

def put(at, text, how):
    with open(at, how, newline='') as file: file.write(text)

def take(root, step):
    at, to = os.path.join(root, step['at']), os.path.join(root, step['to'])
    op, text = step['op'], step['text']
    if op == 'write': put(at, text, 'w')
    if op == 'append': put(at, text, 'a')
    if op == 'truncate': os.truncate(at, 1)
    if op == 'mkdir': os.makedirs(at, exist_ok=True)
    if op == 'remove': remove(at)
    if op == 'chmod': change_mode(at, step['mode'])
    if op == 'link': os.link(at, to, follow_symlinks=False)
    if op == 'symlink': os.symlink(step['target'], at)
    if op == 'move': move(at, to)

file, part = sys.argv[1:]
for root, parts in json.load(open(file)).items():
    for step in parts[int(part)]:
        try: take(root, step)
        except (OSError, ValueError): pass
