"""Programs by the names of their files: what a person's terminal, login, browser or tunnel hangs from, and what starts all.

A name proves nothing against somebody who lies about it; it spares everybody else (`docs/limits.md`).
"""

import re
from pathlib import Path


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


INITS = _names("""
    systemd init tini tini-static dumb-init docker-init podman-init catatonit s6-svscan runit
    runsvdir openrc-init launchd upstart
""")
"""Programs that adopt what others left behind, and start a person's programs only by way of others."""

LOGINS = _names("""
    init login agetty getty mingetty sshd sshd-session sshd-auth ssh dropbear mosh-server et
    etserver etterminal su sudo doas sudo-rs run0 systemd-logind cockpit-bridge cockpit-session
    cockpit-ws telnetd in.telnetd tailscaled teleport gdm gdm-session-worker gdm-wayland-session
    gdm-x-session sddm sddm-helper lightdm greetd ly xdm xinit startx docker dockerd containerd
    containerd-shim containerd-shim-runc-v2 conmon podman crun runc lxc-start lxc-attach incusd
    machinectl bwrap flatpak flatpak-session-helper xdg-dbus-proxy snapd lima limactl s6-supervise
    runsv supervisord
""")
DESKTOPS = _names("""
    gnome-shell gnome-session gnome-session-binary gsd-media-keys plasmashell ksmserver kwin_x11
    kwin_wayland startplasma-x11 startplasma-wayland krunner kglobalaccel5 kglobalacceld
    xfce4-session xfce4-panel xfdesktop lxsession lxpanel lxqt-session lxqt-panel mate-session
    mate-panel cinnamon cinnamon-session budgie-panel budgie-wm cosmic-session cosmic-comp
    cosmic-launcher cosmic-panel sway swaybg swaynag hyprland i3 i3bar i3-wm bspwm sxhkd swhkd dwm
    awesome openbox fluxbox icewm xmonad qtile herbstluftwm river niri labwc wayfire weston cage
    enlightenment rofi dmenu fuzzel wofi xbindkeys xorg xwayland xvnc xtigervnc tint2 polybar waybar
    nautilus dolphin thunar nemo pcmanfm dbus-daemon dbus-broker dbus-broker-launch xrdp xrdp-sesman
    xrdp-chansrv
""")
TERMINALS = _names("""
    kgx ptyxis ptyxis-agent konsole yakuake kitty alacritty foot footclient ghostty wezterm
    wezterm-gui wezterm-mux-server rio warp hyper tabby wave contour st urxvt urxvtd rxvt
    rxvt-unicode mlterm kmscon fbterm tilix tilda guake terminator terminology sakura blackbox
    black-box zutty havoc cool-retro-term deepin-term console tym lilyterm evilvte ttyd gotty sshx
    upterm butterfly shellinaboxd wetty vte-2.91 putty pterm asciinema
""")
EDITORS = _names("""
    code code-oss code-insiders code-server code-tunnel vscodium codium cursor windsurf positron zed
    zed-editor zeditor electron lapce sublime_text plugin_host kate kdevelop gnome-builder emacs
    emacsclient vim nvim vim.basic vim.gtk3 vim.tiny gvim neovide helix hx kak micro idea pycharm
    goland webstorm clion phpstorm rubymine rider datagrip rustrover fleet studio eclipse rstudio
    rsession rserver rserver-launcher jupyter
    jupyter-lab jupyter-notebook jupyterhub-singleuser hermes hermes-agent hermes-desktop
""")
MULTIPLEXERS = _names("""
    tmux screen zellij dtach abduco shpool tmate
""")

BROWSERS = _names("""
    chrome msedge brave opera vivaldi vivaldi-bin epiphany webkitnetworkprocess qtwebengineprocess
    falkon konqueror qutebrowser librewolf zen zen-bin floorp palemoon seamonkey midori thorium nyxt
    surf dillo lynx w3m elinks
""")
TUNNELS = _names("""
    autossh sshuttle nginx caddy haproxy traefik envoy apache2 httpd lighttpd squid cloudflared
    ngrok frpc frps rathole chisel bore docker-proxy rootlesskit rootlessport slirp4netns pasta
    pasta.avx2 passt gvproxy kubectl vpnkit wslrelay hypnotoad mitmproxy
""")
KNOWN = LOGINS | DESKTOPS | TERMINALS | EDITORS
KNOWN_PEERS = KNOWN | BROWSERS | TUNNELS

LIKE = re.compile(r".*(term|terminal(-server|\.wrapped)?|-terminal-emulator)|(gnome|emacs|xfce4|kde|lxqt)-.*")
LIKE_A_BROWSER = re.compile(r".*(chrom|firefox|browser|webkit|webview).*")
BELONGING = re.compile(
    r"/(\.?(vscode|vscodium|cursor|windsurf|positron|code)-(server|remote)[^/]*|\.?jetbrains|jbr|\.zed_server)/",
    re.IGNORECASE,
)
"""Folders of editors whose servers run as ``node`` or ``java``."""


def is_a_person_s(program: str, path: Path | None) -> bool:
    """Tell whether a program is known to be what a person's shell hangs from."""
    name = _plain(program)
    return name in KNOWN or LIKE.fullmatch(name) is not None or BELONGING.search(str(path or "")) is not None


def is_a_person_s_peer(program: str, path: Path | None) -> bool:
    """Tell whether a program is known to speak for a person to a server of this machine."""
    name = _plain(program)
    return name in KNOWN_PEERS or LIKE_A_BROWSER.fullmatch(name) is not None or is_a_person_s(program, path)


def _plain(program: str) -> str:
    """Write a name as the tables do; packagers wrap ``foot`` as ``.foot-wrapped``."""
    return program.lower().removeprefix(".").removesuffix("-wrapped")
