"""Programs that work on processes, disks and the system."""

from mewcode.governance.commands.call import Call
from mewcode.governance.commands.program import Program, Table, classes, same


def _kill(call: Call) -> None:
    """`kill -l` only lists, and `kill -0` only asks."""
    if any(word.text in ("-l", "-L", "--list", "-0") for word in call.rest[:1]):
        call.classes.discard("@kill")
        call.reads_only = True
    for word in call.rest:
        if not word.literal:
            call.doubt_argument(word)


def _crontab(call: Call) -> None:
    if call.arguments.has("-l") and len(call.rest) == 1:
        call.classes.clear()
        call.reads_only = True
    elif call.flow.stdin is not None or call.arguments.operands:
        call.doubt("stdin_code")


def _systemctl(call: Call) -> None:
    verb = call.arguments.operands[0].text if call.arguments.operands else ""
    if verb in ("status", "is-active", "is-enabled", "list-units", "list-unit-files", "show", "cat", ""):
        call.classes.discard("@system_write")
    for word in call.arguments.doubtful:
        call.doubt_argument(word)


_DISK = classes("@disk", "@system_write")

PROGRAMS: Table = {
    **same(Program(classes=classes("@kill"), handler=_kill), "kill pkill killall skill xkill tkill fuser"),
    **same(
        Program(classes=_DISK),
        "mount umount fdisk sfdisk cfdisk parted gdisk sgdisk losetup swapon swapoff lvcreate lvremove"
        " vgremove pvcreate zfs zpool mdadm cryptsetup diskutil hdiutil fsck e2fsck resize2fs tune2fs",
    ),
    **same(
        Program(classes=classes("@disk", "@system_write", "@unrecoverable")),
        "mkfs mkswap wipefs blkdiscard badblocks hdparm",
    ),
    **same(
        Program(classes=classes("@system_write")),
        "useradd userdel usermod groupadd groupdel adduser deluser passwd chpasswd visudo vipw chsh chfn"
        " hostnamectl timedatectl localectl"
        " sysctl modprobe insmod rmmod iptables ip6tables nft ufw firewall-cmd ip ifconfig route reboot"
        " shutdown halt poweroff init telinit"
        " service launchctl update-alternatives ldconfig update-rc.d chkconfig setenforce loginctl"
        " grub-install update-grub efibootmgr"
        " defaults scutil networksetup nvram csrutil spctl swaplabel logrotate tzselect dpkg-reconfigure"
        " update-initramfs",
    ),
    "systemctl": Program(classes=classes("@system_write"), handler=_systemctl),
    "crontab": Program(classes=classes("@system_write"), takes_value=("-u",), handler=_crontab),
    "renice": Program(classes=classes("@kill")),
    "sync": Program(inert=True),
}
