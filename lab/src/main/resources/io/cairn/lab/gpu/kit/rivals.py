# Times what a training in Python does instead: arguments are the bytes of the state, and a
# directory in memory. Prints the milliseconds for which the training's thread waits.
import os, sys, threading, time, torch

size, directory = int(sys.argv[1]), sys.argv[2]
cuda = torch.cuda.is_available()
count = 16
state = [torch.randn(size // 4 // count, device="cuda" if cuda else "cpu") for _ in range(count)]
pinned = [torch.empty(t.shape, pin_memory=cuda) for t in state]
path = os.path.join(directory, "rival.pt")


def finish():
    if cuda:
        torch.cuda.synchronize()


def median(work):
    times = []
    for round in range(4):  # the first one warms up
        finish()
        began = time.perf_counter()
        after = work()
        times.append(1000 * (time.perf_counter() - began))
        if after:
            after.join()
    return sorted(times[1:])[1]


def save():
    torch.save(state, path)


def clone():
    for to, t in zip(pinned, state):
        to.copy_(t, non_blocking=True)
    finish()
    writer = threading.Thread(target=torch.save, args=(pinned, path))
    writer.start()
    return writer


print("save", median(save), flush=True)
print("clone", median(clone), flush=True)
os.remove(path)
