"""Callables that are not run: they end, stop or change the process or the machine, or wait for people and networks."""

from __future__ import annotations

import re

NEVER = re.compile(
    r"""
    os\.(_exit|abort|fork|forkpty|kill|killpg|exec\w*|spawn\w*|posix_spawnp?|reboot|chroot|setuid|setgid|seteuid
        |setegid|setreuid|setregid
        |setresuid|setresgid|setgroups|initgroups|setsid|setpgid|setpgrp|tcsetpgrp|nice|setpriority|sched_\w+|plock
        |sync|mknod|mkfifo|startfile
        |closerange|close|dup2?|fdopen|login_tty|openpty|wait\w*|sethostname|pidfd_open|register_at_fork|popen
        |sendfile|splice|set_\w+|pread\w*
        |pwrite\w*|readv?|writev?|lockf|fchdir|fchmod|fchown|fsync|fdatasync|ftruncate|lseek|isatty|ttyname
        |fstat\w*|fpathconf|tcgetpgrp|posix_f\w+)
    |time\.(clock_settime\w*|pthread_getcpuclockid)
    |signal\.(raise_signal|pthread_kill|pause|sigwait\w*|sigtimedwait|alarm|setitimer|pidfd_send_signal
        |siginterrupt|pthread_sigmask|set_wakeup_fd)
    |sys\.(setrecursionlimit|settrace|setprofile|set_\w+|setswitchinterval|setdlopenflags|activate_stack_trampoline
        |breakpointhook|call_tracing|excepthook|unraisablehook)
    |builtins\.(quit|exit|help|copyright|credits|license)
    |resource\.\w+|faulthandler\.\w+|webbrowser\.\w+|pty\.\w+
    |socket\.(sethostname|gethostbyname\w*|gethostbyaddr|getaddrinfo|getnameinfo|getfqdn|create_connection
        |create_server|fromfd|close|if_\w+|socketpair|dup|send_fds|recv_fds)
    |socket\.(socket|SocketType)\.(?!close\b|fileno\b|getsockname\b|settimeout\b|gettimeout\b|setblocking\b
        |family\b|type\b|proto\b|timeout\b|detach\b)\w+
    |getpass\.getpass|subprocess\.Popen\.(wait|communicate)|multiprocessing\.(Pool|Manager|Process|freeze_support
        |set_\w+)
    |multiprocessing\.\w+\.(?:acquire|wait|get|recv|join)|threading\.(main_thread|settrace\w*|setprofile\w*)
    |asyncio\.(run|main)|atexit\._\w+|logging\.(shutdown|config\w*)
    |ctypes\.(string_at|wstring_at|memmove|memset|cast|CDLL|PyDLL|pydll.*|cdll.*|pythonapi.*|_\w+)
    |importlib\.(reload|invalidate_caches)|gc\.(freeze|set_debug)
    |torch\.(load|hub\.\w+|seed)$|torch\.hub\..*
    |torch\._dynamo\.(reset\w*|run|mark_dynamic_\w+|external_utils\w*|replay)|torch\.compiler\.(reset
        |save_cache_artifacts|load_cache_artifacts|load_compiled_function)
    |torch\.distributed\.(init_process_group|destroy_process_group|launch\w*|run\w*|send\w*|recv\w*|isend|irecv|monitored_barrier
        |TCPStore\w*|rendezvous|register_rendezvous_handler|breakpoint|shrink_group|batch_isend_irecv)
    |torch\.multiprocessing\.\w+|torch\.utils\.cpp_extension\.(load|load_inline|verify_ninja_availability
        |check_compiler\w*|BuildExtension|CppExtension|CUDAExtension|SyclExtension|include_paths|library_paths)
    |torch\.utils\.(benchmark|bottleneck|tensorboard|collect_env|model_zoo)\..*
    |numpy\.(test|show_config|info|lookfor|source|get_include|DataSource|memmap|fromfile|savez\w*|show_runtime
        |f2py.*|loadtxt|genfromtxt|fromregex)|scipy\.test
    |.*\.(test|breakpoint|set_trace|interact|mainloop|serve_forever|load_library)
    """,
    re.VERBOSE,
)


def dangerous(name: str) -> bool:
    """Whether the callable of this dotted name is called in no other way than one written by hand."""
    return NEVER.fullmatch(name.partition("[")[0].removesuffix("()")) is not None
