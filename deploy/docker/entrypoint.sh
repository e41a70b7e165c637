#!/bin/sh
# Starts longhand with the best Vulkan driver there is, and gives drivers a folder for compiled shaders. Some container
# runtimes mount NVIDIA's library without the manifest by which the loader finds it; then ours stands in, with lavapipe
# after it for hosts whose GPU is taken away.
set -eu

has_nvidia_manifest() {
    for manifest in /etc/vulkan/icd.d/nvidia_icd*.json /usr/share/vulkan/icd.d/nvidia_icd*.json; do
        [ -e "$manifest" ] && return 0
    done
    return 1
}

if [ -z "${VK_DRIVER_FILES:-}" ] && ! has_nvidia_manifest &&
    PATH="$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null | grep -q 'libGLX_nvidia\.so\.0'; then
    VK_DRIVER_FILES=${LONGHAND_NVIDIA_ICD:-/usr/share/longhand/nvidia_icd.json}
    for manifest in /usr/share/vulkan/icd.d/lvp_icd*.json; do
        [ -e "$manifest" ] && VK_DRIVER_FILES="$VK_DRIVER_FILES:$manifest"
    done
    export VK_DRIVER_FILES
fi
# Drivers cache compiled shaders on disk, but the image has no home for them. NVIDIA's needs a folder that exists.
shaders=${XDG_CACHE_HOME:-/data/cache}/shaders
# On a volume that others can write to, a folder of theirs is not used: drivers load what lies there.
if (umask 077 && mkdir -p "$shaders") 2>/dev/null && [ -O "$shaders" ]; then
    export MESA_SHADER_CACHE_DIR="${MESA_SHADER_CACHE_DIR:-$shaders}"
    export __GL_SHADER_DISK_CACHE_PATH="${__GL_SHADER_DISK_CACHE_PATH:-$shaders}"
fi
exec longhand "$@"
